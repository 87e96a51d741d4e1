package io.pmstore.cli.value;

import io.pmstore.cli.text.Amounts;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericClass;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.proxy.generic.GenericValue;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Values as one line for people. */
public final class ValueText {
  private static final int STRING_MAX = 80;
  private static final int PARTS_MAX = 8;

  private ValueText() {}

  /** Returns the name of a class without its package. */
  public static String simpleName(String className) {
    String shown = shown(className);
    return shown.substring(shown.lastIndexOf('.') + 1);
  }

  /** Returns the name of a class as source code has it. */
  public static String shown(String className) {
    return className.startsWith("[L")
        ? className.substring(2, className.length() - 1) + "[]"
        : className.startsWith("[") ? shown(className.substring(1)) + "[]" : className;
  }

  public static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case String text -> quoted(text, STRING_MAX);
      case Character character -> "'" + unquoted(quoted(character.toString(), 1)) + "'";
      case OptionalInt _, OptionalLong _, OptionalDouble _ -> value.toString();
      case GenericEnum constant -> constant.name();
      case GenericObject object -> simpleName(object.className()) + " @" + object.address();
      case GenericClass type -> type.name() + ".class";
      case GenericValue registered -> registered.toString();
      case GenericRecord record -> ofRecord(record);
      case GenericArray array -> ofElements(array.elements().size(), i -> array.elements().get(i));
      case GenericDamage damage -> "damaged @" + damage.address() + ": " + damage.message();
      case byte[] bytes -> Amounts.of(bytes.length, "byte", "bytes");
      case PersistentObject collection ->
          collection(collection) + " @" + GenericStore.address(collection);
      default -> {
        if (value.getClass().isArray()) {
          yield ofElements(Array.getLength(value), i -> Array.get(value, i));
        }
        Scalars.Scalar scalar = Scalars.of(value);
        yield scalar == null ? value.toString() : scalar.text().apply(value);
      }
    };
  }

  /** Returns the kind and the size of a collection. */
  public static String collection(Object collection) {
    int size = size(collection);
    return kind(collection) + " of " + Amounts.count(size);
  }

  /** Returns the number of elements of a collection. */
  public static int size(Object collection) {
    return collection instanceof Map<?, ?> map ? map.size() : ((Collection<?>) collection).size();
  }

  /** Returns the name of the kind of a collection. */
  public static String kind(Object collection) {
    String name = collection.getClass().getSimpleName().replace("Persistent", "");
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  private static String unquoted(String quoted) {
    return quoted.substring(1, quoted.length() - 1);
  }

  private static String ofRecord(GenericRecord record) {
    String parts =
        record.values().entrySet().stream()
            .map(part -> part.getKey() + "=" + of(part.getValue()))
            .collect(Collectors.joining(", "));
    return simpleName(record.className()) + "[" + parts + "]";
  }

  private static String ofElements(int count, IntFunction<@Nullable Object> elements) {
    String shown =
        IntStream.range(0, Math.min(count, PARTS_MAX))
            .mapToObj(i -> of(elements.apply(i)))
            .collect(Collectors.joining(", "));
    return Amounts.of(count, "element", "elements")
        + " ["
        + shown
        + (count > PARTS_MAX ? ", ..." : "")
        + "]";
  }

  /**
   * Returns a string in quotes, on one line.
   *
   * @param max the most characters of it that are shown
   */
  public static String quoted(String text, int max) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < Math.min(text.length(), max); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (Character.isISOControl(c)) {
            quoted.append("\\u").append("%04x".formatted((int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    quoted.append('"');
    return text.length() > max ? quoted + "... (" + text.length() + " characters)" : "" + quoted;
  }
}
