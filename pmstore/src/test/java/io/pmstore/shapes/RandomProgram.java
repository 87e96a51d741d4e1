package io.pmstore.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The source of some classes, drawn at random: who extends whom, which fields there are, which have
 * accessors, and what the methods do with the fields.
 *
 * <p>Each class has {@code Object[] state()}, which reads all its fields directly, and {@code
 * String act(int, String, Object)}, which changes them.
 */
final class RandomProgram {
  static final String PACKAGE = "random";

  /** A class of the program. */
  record Shape(String name, boolean isAbstract, List<Field> fields) {}

  /** A field of a class. */
  record Field(String name, Kind kind, String type, boolean hasAccessors) {
    String suffix() {
      return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
  }

  /** What a field can hold. */
  enum Kind {
    INT("int", "%d"),
    LONG("long", "%dL"),
    DOUBLE("double", "%d.5"),
    BOOLEAN("boolean", null),
    CHAR("char", "(char) %d"),
    BYTE("byte", "(byte) %d"),
    STRING("String", "\"v%d\""),
    INTEGER("Integer", "%d"),
    DECIMAL("java.math.BigDecimal", "java.math.BigDecimal.valueOf(%d)"),
    INSTANT("java.time.Instant", null),
    SIDE("Side", "Side.BUY"),
    PAIR("Pair", "new Pair(%d, \"p\")"),
    INTS("int[]", "new int[] {%d}"),
    STRINGS("String[]", null),
    LIST("java.util.List<Object>", "new java.util.ArrayList<>()"),
    MAP("java.util.Map<Object, Object>", "new java.util.HashMap<>()"),
    ANY("Object", null),
    REFERENCE("?", null);

    final String type;
    final String initializer;

    Kind(String type, String initializer) {
      this.type = type;
      this.initializer = initializer == null ? "" : initializer;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  private final Random random;
  private final StringBuilder source = new StringBuilder();
  private final List<Shape> shapes = new ArrayList<>();

  RandomProgram(Random random) {
    this.random = random;
    line("package " + PACKAGE + ";");
    line("enum Side { BUY { int sign() { return 1; } }, SELL { int sign() { return -1; } };");
    line("  abstract int sign(); }");
    line("record Pair(int number, String text) {}");
    int count = 2 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      addClass(i, count);
    }
  }

  String source() {
    return source.toString();
  }

  List<Shape> shapes() {
    return shapes;
  }

  private void line(String text) {
    source.append(text).append('\n');
  }

  private void addClass(int number, int count) {
    Shape parent = number > 0 && random.nextBoolean() ? shapes.get(random.nextInt(number)) : null;
    boolean isAbstract = number < count - 1 && random.nextInt(4) == 0;
    String name = "C" + number;
    List<Field> fields = new ArrayList<>();
    for (int i = random.nextInt(1, 7); i > 0; i--) {
      Kind kind = KINDS[random.nextInt(KINDS.length)];
      String type = kind == Kind.REFERENCE ? "C" + random.nextInt(count) : kind.type;
      fields.add(new Field("f" + number + "x" + i, kind, type, random.nextInt(4) > 0));
    }
    shapes.add(new Shape(name, isAbstract, fields));
    line("@io.pmstore.Persistent");
    line(
        "%sclass %s%s {"
            .formatted(
                isAbstract ? "abstract " : "",
                name,
                parent == null ? "" : " extends " + parent.name()));
    for (Field field : fields) {
      String value = field.kind().initializer.formatted(random.nextInt(100));
      line(
          "  private %s %s%s;"
              .formatted(
                  field.type(),
                  field.name(),
                  value.isEmpty() || random.nextInt(4) == 0 ? "" : " = " + value));
    }
    for (Field field : fields) {
      if (field.hasAccessors()) {
        accessors(field);
      }
    }
    act(name, parent != null, fields);
    state(parent != null, fields);
    line("}");
  }

  private void accessors(Field field) {
    boolean is = field.kind() == Kind.BOOLEAN && random.nextBoolean();
    String getter = random.nextInt(4) > 0 ? "return F;" : "var result = F; return result;";
    String setter = random.nextInt(4) > 0 ? "F = value;" : "var old = F; F = old; this.F = value;";
    line("  public T xS() { G }".replace("x", is ? "is" : "get").replace("G", getter), field);
    line("  public void setS(T value) { G }".replace("G", setter), field);
  }

  /** Adds a line about a field: F is its name, S its name in accessors, T its type. */
  private void line(String text, Field field) {
    line(
        text.replaceAll("\\bF\\b", field.name())
            .replaceAll("(?<=get|set|is)S\\b", field.suffix())
            .replaceAll("\\bT\\b", field.type()));
  }

  private void act(String name, boolean hasParent, List<Field> fields) {
    line("  String act(int a, String s, Object object) {");
    line("    StringBuilder out = new StringBuilder();");
    line("    %s other = object instanceof %s o ? o : this;".formatted(name, name));
    if (hasParent) {
      line("    out.append(super.act(a + 1, s, object));");
    }
    for (Field field : fields) {
      for (int i = random.nextInt(3); i > 0; i--) {
        statement(field);
      }
    }
    line("    return out.toString();");
    line("  }");
    for (Field field : fields) {
      if (field.kind() == Kind.INT || field.kind() == Kind.LONG) {
        line("  private void bump_%s(int by) { %s += by; }".formatted(field.name(), field.name()));
        line(
            "  private static long look_%s(%s at) { return at.%s * 3; }"
                .formatted(field.name(), name, field.name()));
      }
    }
  }

  private void statement(Field field) {
    String f = field.name();
    String text =
        switch (field.kind()) {
          case INT, LONG ->
              pick(
                  "F += a;",
                  "F++; out.append(F--);",
                  "this.F = F * 31 ^ a;",
                  "other.F = other.F + F;",
                  "for (int i = 0; i < (a & 3); i++) { F += i; }",
                  "Runnable r_N = () -> F += a; r_N.run();",
                  "java.util.function.IntConsumer c_N = this::bump_F; c_N.accept(a);",
                  "bump_F(a); other.bump_F(1); out.append(look_F(other));",
                  "switch (a & 3) { case 0 -> F = 1; case 1 -> F -= a; default -> F >>= 1; }",
                  "try { F += a; if (F % 3 == 0) throw new IllegalStateException(s); }"
                      + " catch (IllegalStateException e) { F -= 2; } finally { F ^= 5; }",
                  "new Object() { void go() { F += a; } }.go();",
                  "synchronized (this) { F = (F << 1) + (F == 0 ? 1 : 0); }");
          case DOUBLE -> pick("F = F / 2 + a;", "F -= other.F * 0.5;", "out.append(F > a);");
          case BOOLEAN -> pick("F = !F;", "F |= a > 3;", "if (F && !other.F) { other.F = F; }");
          case CHAR -> pick("F++;", "F = (char) (F + a);", "out.append(F);");
          case BYTE -> pick("F++;", "F += a;", "F = (byte) ~F;");
          case STRING ->
              pick(
                  "F = F + s; if (F.length() > 40) { F = s; }",
                  "F = a + \"/\" + s;",
                  "out.append(F == null ? 0 : F.length());",
                  "switch (F == null ? \"\" : F) { case \"v1\", \"v2\" -> F = null;"
                      + " default -> F = s; }",
                  "F = java.util.Objects.requireNonNullElse(other.F, s);");
          case INTEGER -> pick("F = F == null ? a : F + a;", "F = a % 2 == 0 ? null : a;");
          case DECIMAL ->
              pick(
                  "F = F == null ? java.math.BigDecimal.TEN :"
                      + " F.add(java.math.BigDecimal.valueOf(a));",
                  "out.append(java.util.Objects.hash(F, other.F));");
          case INSTANT -> pick("F = java.time.Instant.ofEpochSecond(a);", "F = other.F;");
          case SIDE ->
              pick(
                  "F = F == Side.BUY ? Side.SELL : Side.BUY;",
                  "if (F != null) {" + " out.append(F.sign()); }");
          case PAIR ->
              pick(
                  "F = new Pair(a, s);",
                  "if (F instanceof Pair(int n, String t)) { out.append(n).append(t); }");
          case INTS -> pick("F = new int[] {a, a + 1};", "F = F == null ? new int[1] : F.clone();");
          case STRINGS -> pick("F = new String[] {s, null};", "F = other.F;");
          case LIST ->
              pick(
                  "if (F != null) { F.add(a); F.add(s); }",
                  "if (F != null && !F.isEmpty()) { out.append(F.remove(0) instanceof Integer); }",
                  "if (F == null) { F = new java.util.ArrayList<>(java.util.List.of(a)); }");
          case MAP ->
              pick(
                  "if (F != null) { F.merge(s, a, (x, y) -> s + a); }",
                  "if (F != null) { F.remove(a); F.put(a % 7, s); }",
                  "if (F == null) { F = new java.util.HashMap<>(); }");
          case ANY -> pick("F = s;", "F = a;", "F = other;", "F = this;", "F = null;");
          case REFERENCE -> pick("F = null;", "out.append(F == null);", "F = other.F;");
        };
    line(
        "    "
            + text.replace("bump_F", "bump_" + f)
                .replace("look_F", "look_" + f)
                .replace("_N", "_" + random.nextInt(1_000_000)),
        field);
  }

  private String pick(String... alternatives) {
    return alternatives[random.nextInt(alternatives.length)];
  }

  private void state(boolean hasParent, List<Field> fields) {
    line("  Object[] state() {");
    line("    java.util.List<Object> all = new java.util.ArrayList<>();");
    if (hasParent) {
      line("    all.addAll(java.util.Arrays.asList(super.state()));");
    }
    for (Field field : fields) {
      line("    all.add(F);", field);
    }
    line("    return all.toArray();");
    line("  }");
  }
}
