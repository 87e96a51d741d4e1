package io.pmstore.cli.command;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.path.NoPropertyException;
import io.pmstore.cli.path.PathException;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.value.Scalars;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A condition on the objects of a class: that a property, or what a path from the object leads to,
 * has a value. Tells apart what no object has from what none can have.
 */
final class Condition {
  private static final String NULL = "null";

  private final String path;
  private final String first;
  private final String text;
  private final Map<String, Optional<Object>> parsed = new HashMap<>();
  private boolean possible;
  private @Nullable String fault;

  private Condition(String path, String text) {
    this.path = path;
    this.first = StorePath.firstProperty(path);
    this.text = text;
  }

  /**
   * Reads a condition.
   *
   * @return null if the text has no {@code =} behind a path
   * @throws io.pmstore.cli.path.PathSyntaxException if what is before it is no path
   */
  static @Nullable Condition parse(String condition) {
    int equal = condition.indexOf('=');
    return equal < 1
        ? null
        : new Condition(condition.substring(0, equal), condition.substring(equal + 1));
  }

  /**
   * Refuses a condition that no object of a class can fulfil, as far as the types say so.
   *
   * @param shapes the ids of the shapes of the class
   * @param className for messages
   */
  void check(OpenedStore store, Set<Integer> shapes, String className) {
    Catalogue catalogue = store.catalogue();
    Set<String> names = new TreeSet<>();
    List<Property> meant = new ArrayList<>();
    for (int id : shapes) {
      for (Property property : catalogue.shape(id).properties()) {
        names.add(property.name());
        if (property.name().equals(first)) {
          meant.add(property);
        }
      }
    }
    if (meant.isEmpty()) {
      throw new Failure(
          "%s has no property %s; its properties are %s".formatted(className, first, names));
    }
    String impossible = null;
    if (isProperty()) {
      for (Property property : meant) { // several if older shapes have another type
        impossible = impossible(catalogue, property);
        if (impossible == null) {
          return;
        }
      }
    }
    if (impossible != null) {
      throw new Failure("--where %s=%s: %s".formatted(path, text, impossible));
    }
  }

  /** Returns true if the path is the name of a property and nothing else. */
  private boolean isProperty() {
    return path.equals(first) || path.equals(StorePath.ofRoot(first)); // it may need quotes
  }

  /** Returns why a property cannot have the value, or null. */
  private @Nullable String impossible(Catalogue catalogue, Property property) {
    SlotKind kind = property.kind();
    if (text.equals(NULL) && !kind.isPrimitive()) {
      return null;
    }
    Scalars.Scalar scalar = Scalars.ofProperty(property);
    if (scalar != null) {
      return value(scalar) != null
          ? null
          : misfit(kind.isPrimitive() ? scalar.tag() : scalar.type().getSimpleName());
    }
    return switch (kind) {
      case REFERENCE ->
          text.matches("@([0-9]+|0x[0-9a-fA-F]+)")
              ? null
              : "%s is no object; write the address of one, %s=@184320, or ask for what it has, as in %s.name=Ann"
                  .formatted(text, path, path);
      case ENUM ->
          catalogue.find(property.typeName()) instanceof EnumType type
              ? impossible(catalogue, type)
              : null;
      default -> {
        String type = property.typeName();
        Shape record =
            !type.startsWith("[")
                    && catalogue.find(type) instanceof Shape shape
                    && catalogue.newest(shape).className().equals(type)
                ? shape
                : null; // or an interface
        yield (record == null && !type.startsWith("[")) || isForm(type)
            ? null
            : misfitOfParts(type, record);
      }
    };
  }

  private @Nullable String impossible(Catalogue catalogue, EnumType type) {
    EnumType newest = catalogue.newest(type);
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < newest.constants().size(); i++) {
      names.add(catalogue.firstName(newest, i));
    }
    return names.contains(text)
        ? null
        : "%s is no %s, which has %s"
            .formatted(text, ValueText.simpleName(newest.className()), names);
  }

  private String misfit(String type) {
    return "%s is no %s, so no object has this value; write one as pm find shows it"
        .formatted(text.isEmpty() ? "an empty text" : text, type);
  }

  /** Returns true if the text has the form in which values of a record or array are shown. */
  private boolean isForm(String type) {
    return type.startsWith("[")
        ? text.matches("(?s)[\\d,]+ (bytes?|elements? \\[.*\\])")
        : text.startsWith(ValueText.simpleName(type) + "[") && text.endsWith("]");
  }

  /** Returns why no record or array is the text. */
  private String misfitOfParts(String type, @Nullable Shape record) {
    String part =
        record == null || record.properties().isEmpty()
            ? "[0]"
            : "." + record.properties().getFirst().name();
    return misfit(ValueText.simpleName(type))
        + ", or ask for a part, as in "
        + path
        + part
        + "=...";
  }

  /** Returns the value of a type that the text is, or null. */
  private @Nullable Object value(Scalars.Scalar type) {
    return parsed
        .computeIfAbsent(
            type.tag(),
            _ -> {
              try {
                return Optional.of(type.value().apply(text));
              } catch (RuntimeException e) { // each type has its own
                return Optional.empty();
              }
            })
        .orElse(null);
  }

  /**
   * Returns true if an object fulfils the condition.
   *
   * @throws StoreDamagedException if what the condition asks for cannot be read
   */
  boolean holds(OpenedStore store, GenericObject object) {
    Object value;
    try {
      value = StorePath.resolve(store.generic(), object, path);
    } catch (NoPropertyException e) {
      if (everHad(store, e)) {
        possible = true;
      } else {
        fault = fault == null ? e.getMessage() : fault;
      }
      return false;
    } catch (PathException e) {
      return false; // null on the way, or a key that other objects have
    }
    if (value instanceof GenericDamage damage) {
      throw new StoreDamagedException(damage.message());
    }
    return is(value);
  }

  private boolean is(@Nullable Object value) {
    if (value == null || value instanceof PersistentObject || value instanceof GenericEnum) {
      possible = true;
      return text.equals(
          switch (value) {
            case GenericEnum constant -> constant.name();
            case PersistentObject object -> "@" + GenericStore.address(object);
            case null, default -> NULL;
          });
    }
    Scalars.Scalar scalar = Scalars.of(value);
    if (scalar == null) {
      Shape record = value instanceof GenericRecord one ? one.shape() : null;
      String type =
          value instanceof GenericRecord one
              ? one.className()
              : value instanceof GenericArray array
                  ? array.shape().className()
                  : value.getClass().getName();
      if ((record != null || type.startsWith("[")) && !text.equals(NULL) && !isForm(type)) {
        fault = fault == null ? path + ": " + misfitOfParts(type, record) : fault;
        return false;
      }
      possible = true;
      return text.equals(ValueText.of(value));
    }
    Object wanted = value(scalar);
    if (wanted == null) {
      fault = fault == null ? path + ": " + misfit(scalar.type().getSimpleName()) : fault;
      return false;
    }
    possible = true;
    return text.equals(scalar.text().apply(value)) || isSame(value, wanted);
  }

  private static boolean isSame(Object value, Object wanted) {
    return value.equals(wanted)
        || (value instanceof BigDecimal number && number.compareTo((BigDecimal) wanted) == 0);
  }

  /** Returns true if any shape of an object's class has the property that the object lacks. */
  private static boolean everHad(OpenedStore store, NoPropertyException e) {
    return ClassNames.ofClass(store, e.object().shape()).stream()
        .flatMap(shape -> shape.properties().stream())
        .anyMatch(property -> property.name().equals(e.property()));
  }

  /** Returns true if some object made clear that one could fulfil the condition. */
  boolean isPossible() {
    return possible;
  }

  /** Returns why none of the objects could fulfil it, or null. */
  @Nullable String fault() {
    return possible ? null : fault;
  }
}
