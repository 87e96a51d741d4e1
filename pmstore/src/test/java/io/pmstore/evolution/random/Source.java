package io.pmstore.evolution.random;

import io.pmstore.evolution.random.Definition.Sort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes the source of a version. */
final class Source {
  private final StringBuilder text = new StringBuilder();
  private final Program program;

  private Source(Program program) {
    this.program = program;
  }

  static String of(Program program) {
    Source source = new Source(program);
    source.line("package " + Program.PACKAGE + ";");
    source.line("interface Thing {}");
    program.definitions().forEach(source::define);
    return source.text.toString();
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void define(Definition type) {
    List<String> packaged =
        type.formerNames.stream().map(name -> Program.PACKAGE + "." + name).toList();
    annotate("FormerNames", packaged, "");
    annotate("Removed", type.removed, "");
    switch (type.sort) {
      case CLASS, ABSTRACT_CLASS -> classBody(type);
      case RECORD -> record(type);
      case ENUM -> constants(type);
    }
    line("}");
  }

  private void annotate(String annotation, Collection<String> names, String indent) {
    if (!names.isEmpty()) {
      line(
          indent
              + "@io.pmstore.%s({%s})"
                  .formatted(
                      annotation,
                      names.stream()
                          .map(name -> '"' + name + '"')
                          .collect(Collectors.joining(", "))));
    }
  }

  private void constants(Definition type) {
    line("enum %s implements Thing {".formatted(type.name));
    for (Member constant : type.members) {
      annotate("FormerNames", constant.formerNames, "  ");
      line("  " + constant.name + ",");
    }
  }

  private void record(Definition type) {
    List<String> components = new ArrayList<>();
    for (Member component : type.members) {
      String names =
          component.formerNames.stream().map(n -> '"' + n + '"').collect(Collectors.joining(", "));
      components.add(
          (names.isEmpty() ? "" : "@io.pmstore.FormerNames({" + names + "}) ")
              + component.type.text()
              + " "
              + component.name);
    }
    if (type != program.key) {
      line("record %s(%s) {".formatted(type.name, String.join(", ", components)));
      return;
    }
    String number = fixed(type, 0);
    String string = fixed(type, 1);
    line(
        "record %s(%s) implements Comparable<%1$s> {"
            .formatted(type.name, String.join(", ", components)));
    line("  public int compareTo(%s o) {".formatted(type.name));
    line("    int first = Long.compare(%s, o.%1$s);".formatted(number));
    line("    return first != 0 ? first : %s.compareTo(o.%1$s);".formatted(string));
    line("  }");
  }

  private static String fixed(Definition type, int which) {
    return type.members.stream()
        .filter(member -> member.isFixed)
        .sorted((a, b) -> a.number - b.number)
        .toList()
        .get(which)
        .name;
  }

  private void classBody(Definition type) {
    line(
        type == program.root
            ? "@io.pmstore.Persistent(root = \"everything\")"
            : "@io.pmstore.Persistent");
    line(
        "%sclass %s %s {"
            .formatted(
                type.sort == Sort.ABSTRACT_CLASS ? "abstract " : "",
                type.name,
                type.parent == null ? "implements Thing" : "extends " + type.parent.name));
    for (Member property : type.members) {
      boolean onGetter = property.hasAccessors && property.number % 3 == 0;
      if (!onGetter) {
        annotate("FormerNames", property.formerNames, "  ");
      }
      String initial =
          property.initial == null && !property.type.kind().isPrimitive()
              ? ""
              : " = " + Values.source(property.initial, property.type);
      line("  private %s %s%s;".formatted(property.type.text(), property.name, initial));
      if (onGetter) {
        annotate("FormerNames", property.formerNames, "  ");
      }
      line(
          "  public %s %s() { return %s; }"
              .formatted(property.type.text(), property.getter(), property.name));
      line(
          "  public void %s(%s value) { this.%s = value; }"
              .formatted(property.setter(), property.type.text(), property.name));
    }
    if (type == program.base && program.hasOwnEquality) {
      String id = program.id.name;
      line("  @Override public boolean equals(Object o) {");
      line("    return o instanceof %s other && %s == other.%2$s; }".formatted(type.name, id));
      line("  @Override public int hashCode() { return Long.hashCode(%s); }".formatted(id));
    }
  }
}
