package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import net.bytebuddy.jar.asm.Type;

/**
 * Which calls give objects to libraries that are known to read fields by reflection and to keep
 * nothing: mappers to JSON, XML, YAML and bytes, and what makes a text, a hash code or a comparison
 * of all fields. Copies of these libraries in other packages count too.
 */
final class ReflectiveCalls {
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

  /** Returns which arguments of a call are objects whose fields it may read. */
  static List<Integer> arguments(String owner, String name, String descriptor) {
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
}
