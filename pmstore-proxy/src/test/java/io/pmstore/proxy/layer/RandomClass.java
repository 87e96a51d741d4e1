package io.pmstore.proxy.layer;

import java.util.Random;

/**
 * The source of a class and its superclass with random methods. Each class has an {@code int}, a
 * {@code long}, a {@code String}, a {@code boolean} and another object as fields. Every method
 * takes an {@code int} and another object of the class, and returns a description of what it did.
 */
final class RandomClass {
  static final int METHODS = 6;
  private static final String[] LEVELS = {"Base", "Derived"};

  private final Random random;
  private final StringBuilder source = new StringBuilder();
  private String level = "";
  private int locals;

  RandomClass(Random random) {
    this.random = random;
  }

  String source() {
    source.append("package org.example;\nimport java.util.*;\nimport java.util.function.*;\n");
    for (String name : LEVELS) {
      level = name;
      String head = name.equals("Base") ? "public class Base" : "public class Derived extends Base";
      source.append("@io.pmstore.Persistent\n").append(head).append(" {\n");
      fields(prefix());
      for (int i = 0; i < METHODS; i++) {
        method(i);
      }
      source.append("}\n");
    }
    // javac wants one public class in a file.
    return source.toString().replace("public class Base", "class Base");
  }

  private void fields(String prefix) {
    source.append(
        """
          private int %1$si = 3;
          private long %1$sl = 5;
          private String %1$ss = "s";
          private boolean %1$sz;
          private %2$s %1$so;
          private String %1$sstate() { return %1$si + "," + %1$sl + %1$ss + %1$sz + (%1$so == null); }
        """
            .formatted(prefix, level));
    source.append("  public String state() { return ");
    source.append(level.equals("Base") ? "" : "super.state() + ").append(prefix);
    source.append("state(); }\n");
  }

  private String prefix() {
    return level.equals("Base") ? "base" : "own";
  }

  private void method(int index) {
    locals = 0;
    boolean overrides = level.equals("Derived") && random.nextBoolean();
    String name = overrides || level.equals("Base") ? "m" + index : "n" + index;
    source.append("  ").append("public String ").append(name);
    source.append("(int n, ").append("Base given) {\n    ").append(level).append(" other = ");
    source.append(level.equals("Base") ? "given;\n" : "given instanceof Derived d ? d : this;\n");
    source.append("    String text = \"\";\n");
    if (overrides) {
      source.append("    text += super.").append(name).append("(n - 1, given);\n");
    }
    statements(3);
    source.append("    return text + helper").append(index).append("(n);\n  }\n");
    source.append("  private String helper").append(index).append("(int n) {\n");
    source.append("    ").append(level).append(" other = this;\n    String text = \"\";\n");
    statements(2);
    source.append("    return text;\n  }\n");
  }

  private void statements(int depth) {
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      statement(depth);
    }
  }

  private String receiver() {
    return random.nextBoolean() ? "" : random.nextBoolean() ? "this." : "other.";
  }

  private void statement(int depth) {
    String f = prefix();
    String at = "    ";
    int choice = random.nextInt(depth > 0 ? 14 : 7);
    switch (choice) {
      case 0 -> source.append(at + receiver() + f + "i += " + number() + ";\n");
      case 1 -> source.append(at + receiver() + f + "l = " + number() + " * 3L;\n");
      case 2 -> source.append(at + receiver() + f + "s = \"" + f + "\" + " + number() + ";\n");
      case 3 -> source.append(at + receiver() + f + "z ^= " + condition() + ";\n");
      case 4 ->
          source.append(
              at + "text += " + receiver() + f + "i++ + \",\" + --" + receiver() + f + "l;\n");
      case 5 -> source.append(at + receiver() + f + "o = " + condition() + " ? other : null;\n");
      case 6 -> source.append(at + "text += " + number() + " + " + receiver() + f + "s;\n");
      case 7 -> {
        source.append(at + "if (" + condition() + ") {\n");
        statements(depth - 1);
        source.append(at + "} else {\n");
        statements(depth - 1);
        source.append(at + "}\n");
      }
      case 8 -> {
        String i = "i" + locals++;
        source.append(at + "for (int " + i + " = 0; " + i + " < 3; " + i + "++) {\n");
        statements(depth - 1);
        source.append(at + "}\n");
      }
      case 9 -> {
        source.append(at + "try {\n");
        statements(depth - 1);
        source.append(
            at
                + "  if ("
                + condition()
                + ") throw new IllegalStateException("
                + receiver()
                + f
                + "s);\n");
        source.append(at + "} catch (IllegalStateException e" + locals + ") {\n");
        source.append(at + "  text += e" + locals++ + ".getMessage();\n");
        source.append(at + "} finally {\n");
        statements(depth - 1);
        source.append(at + "}\n");
      }
      case 10 -> {
        String r = "r" + locals++;
        source.append(at + "IntSupplier " + r + " = () -> " + receiver() + f + "i + n;\n");
        source.append(at + "text += " + r + ".getAsInt();\n");
      }
      case 11 -> {
        String r = "r" + locals++;
        source.append(at + "LongUnaryOperator " + r + " = new LongUnaryOperator() {\n");
        source.append(at + "  public long applyAsLong(long x) {\n");
        source.append(at + "    return " + f + "i++ + x + other." + f + "l;\n");
        source.append(at + "  }\n" + at + "};\n");
        source.append(at + "text += " + r + ".applyAsLong(" + number() + ");\n");
      }
      case 12 -> {
        String s = "s" + locals++;
        source.append(at + "text += switch (" + number() + " % 3) {\n");
        source.append(at + "  case 0 -> " + receiver() + f + "s;\n");
        source.append(
            at
                + "  case 1 -> { int "
                + s
                + " = ++"
                + receiver()
                + f
                + "i; yield \"i\" + "
                + s
                + "; }\n");
        source.append(at + "  default -> " + condition() + " ? \"x\" : \"y\";\n" + at + "};\n");
      }
      default -> {
        String a = "a" + locals++;
        source.append(at + "int[] " + a + " = {" + number() + ", " + number() + "};\n");
        source.append(at + a + "[1] += " + receiver() + f + "i;\n");
        source.append(at + receiver() + f + "l += " + a + "[1] - " + a + "[0];\n");
      }
    }
  }

  private String number() {
    String f = prefix();
    return switch (random.nextInt(5)) {
      case 0 -> "n";
      case 1 -> receiver() + f + "i";
      case 2 -> "(int) " + receiver() + f + "l";
      case 3 -> receiver() + f + "s.length()";
      default -> String.valueOf(random.nextInt(10));
    };
  }

  private String condition() {
    String f = prefix();
    return switch (random.nextInt(4)) {
      case 0 -> receiver() + f + "z";
      case 1 -> "(" + number() + " < " + number() + ")";
      case 2 -> "(" + receiver() + f + "o == null)";
      default -> "(other == this)";
    };
  }
}
