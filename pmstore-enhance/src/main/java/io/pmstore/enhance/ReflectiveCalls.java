package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.bytebuddy.jar.asm.Type;

/**
 * Knows which calls pass objects to libraries that read fields by reflection and keep no reference:
 * mappers to JSON, XML, YAML and bytes, and methods that make a text, a hash code or a comparison
 * of all fields. Copies of these libraries in other packages count too. Also knows which calls read
 * or write a field by reflection themselves, or make a handle for that.
 */
final class ReflectiveCalls {
  private static final String FIELD = "java/lang/reflect/Field";
  private static final String LOOKUP = "java/lang/invoke/MethodHandles$Lookup";
  private static final Pattern MAPPERS =
      Pattern.compile(
          "(.*/)?(google/gson|squareup/moshi|jackson/(databind|map)|thoughtworks/xstream"
              + "|yaml/snakeyaml|snakeyaml/engine|xml/bind|json/bind|alibaba/fastjson2?"
              + "|esotericsoftware/kryo)/.*");
  private static final Pattern MAPPING =
      Pattern.compile(
          "to(Json|JSON|Xml|XML|Yaml).*|writeValue.*|writeObject.*|writeClassAndObject|valueToTree"
              + "|convertValue|marshal|dump.*|serialize");
  private static final Pattern BUILDERS =
      Pattern.compile(
          "(.*/)?commons/lang3?/builder/(Reflection)?(ToString|HashCode|Equals|CompareTo)Builder");

  private ReflectiveCalls() {}

  /** Returns true if a class is of one of the libraries. */
  static boolean isOfLibrary(String type) {
    return BUILDERS.matcher(type).matches() || MAPPERS.matcher(type).matches();
  }

  /** Returns true if a call gives objects to one of the libraries. */
  static boolean isOfLibrary(String owner, String name, String descriptor) {
    return !owner.startsWith("java/") && !arguments(owner, name, descriptor).isEmpty();
  }

  /**
   * Returns which arguments of a call are objects whose fields it may read or write, or a field of
   * which it makes a handle.
   */
  static List<Integer> arguments(String owner, String name, String descriptor) {
    if (owner.equals(FIELD)) {
      boolean isAccess = descriptor.startsWith("(Ljava/lang/Object;") && !name.equals("equals");
      return isAccess ? List.of(0) : List.of();
    }
    if (owner.equals(LOOKUP)) {
      boolean isOfField = descriptor.startsWith("(L" + FIELD + ";") && name.startsWith("unreflect");
      return isOfField ? List.of(0) : List.of();
    }
    boolean reads =
        BUILDERS.matcher(owner).matches()
            ? name.equals("<init>") || name.startsWith("reflection")
            : MAPPING.matcher(name).matches() && MAPPERS.matcher(owner).matches();
    List<Integer> objects = new ArrayList<>();
    if (reads) {
      Type[] types = Type.getArgumentTypes(descriptor);
      for (int i = 0; i < types.length; i++) {
        if (types[i].getDescriptor().equals("Ljava/lang/Object;")) {
          objects.add(i);
        }
      }
    }
    return objects;
  }

  /** Returns what is called for these arguments first, a method of the hooks. */
  static String hook(String owner, String name) {
    if (owner.equals(LOOKUP)) {
      return "unreflected";
    }
    return owner.equals(FIELD) && name.startsWith("set") ? "writable" : "readable";
  }
}
