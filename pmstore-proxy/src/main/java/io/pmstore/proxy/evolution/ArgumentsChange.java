package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.Kind;
import io.pmstore.proxy.bean.CollectionClasses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what a change of type arguments means for what a property holds. */
final class ArgumentsChange {
  private ArgumentsChange() {}

  /**
   * Compares type arguments as {@link io.pmstore.core.catalogue.Property#arguments} has them.
   *
   * @return KEPT also if they cannot be compared because one type has none or more of them; RENAMED
   *     if a class was renamed; CONVERTED if all that is held fits; or NEEDS_MIGRATION
   */
  static Kind of(String from, String to, KnownClasses classes) {
    List<String> before = split(from);
    List<String> after = split(to);
    Kind change = Kind.KEPT;
    for (int i = 0; before.size() == after.size() && i < before.size(); i++) {
      Kind argument = ofArgument(before.get(i), after.get(i), classes);
      if (argument == Kind.NEEDS_MIGRATION) {
        return argument;
      }
      if (change != Kind.CONVERTED && argument != Kind.KEPT) {
        change = argument;
      }
    }
    return change;
  }

  private static Kind ofArgument(String from, String to, KnownClasses classes) {
    String fromClass = withoutArguments(from);
    String toClass = withoutArguments(to);
    Kind change = Kind.KEPT;
    if (!fromClass.equals(toClass)) {
      Class<?> before = lookUp(fromClass, classes);
      Class<?> after = lookUp(toClass, classes);
      if (before == null || after == null) {
        return Kind.NEEDS_MIGRATION;
      }
      boolean isSame = before.getName().equals(after.getName());
      if (!isSame && !CollectionClasses.storedAs(after).isAssignableFrom(before)) {
        return Kind.NEEDS_MIGRATION;
      }
      change = isSame ? Kind.RENAMED : Kind.CONVERTED;
    }
    Kind within = of(from.substring(fromClass.length()), to.substring(toClass.length()), classes);
    return within == Kind.KEPT || (within == Kind.RENAMED && change == Kind.CONVERTED)
        ? change
        : within;
  }

  private static String withoutArguments(String type) {
    int arguments = type.indexOf('<');
    return arguments < 0 ? type : type.substring(0, arguments);
  }

  /** Returns the class of a name as source code has it, such as {@code int[]}. */
  private static @Nullable Class<?> lookUp(String name, KnownClasses classes) {
    if (name.endsWith("[]")) {
      Class<?> element = lookUp(name.substring(0, name.length() - 2), classes);
      return element == null ? null : element.arrayType();
    }
    Class<?> primitive = Class.forPrimitiveName(name);
    return primitive != null ? primitive : classes.lookUp(name);
  }

  private static List<String> split(String arguments) {
    List<String> types = new ArrayList<>();
    int depth = 0;
    int start = 1;
    for (int i = 0; i < arguments.length(); i++) {
      char c = arguments.charAt(i);
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if ((c == ',' && depth == 1) || (c == '>' && depth == 0)) {
        types.add(arguments.substring(start, i));
        start = i + 1;
      }
    }
    return types;
  }
}
