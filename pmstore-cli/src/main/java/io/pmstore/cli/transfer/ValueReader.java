package io.pmstore.cli.transfer;

import io.pmstore.cli.value.Scalars;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericClass;
import io.pmstore.proxy.generic.GenericComparator;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.proxy.generic.GenericValue;
import io.pmstore.proxy.generic.GenericWriter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Base64;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads values as {@link io.pmstore.cli.json.ValueWriter} writes them. Not thread-safe. */
abstract class ValueReader {
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of(
          "boolean", boolean.class,
          "short", short.class,
          "char", char.class,
          "int", int.class,
          "long", long.class,
          "float", float.class,
          "double", double.class);

  final GenericStore store;
  final GenericWriter writer;
  private final DeclaredTypes types;
  private final BitSet begun = new BitSet(); // the ids of objects, in this reading of the file
  private final long idMax;
  private Map<Integer, CatalogueEntry> entries = new HashMap<>();

  /**
   * Prepares reading.
   *
   * @param idMax the largest id that an object can have: all up to it take memory
   */
  ValueReader(GenericStore store, long idMax) {
    this.store = store;
    this.idMax = idMax;
    this.writer = store.writer();
    this.types = new DeclaredTypes(store.catalogue());
  }

  /** Begins another reading of the file. */
  void restart() {
    begun.clear();
  }

  /** Sets the entries of the catalogue by their ids in the file. */
  final void catalogue(Map<Integer, CatalogueEntry> byId) {
    entries = byId;
  }

  /** Returns the object of an id; null if it cannot be known yet. */
  abstract @Nullable Object reference(long id);

  /** Begins an object. */
  abstract void begin(int id, Shape shape);

  /**
   * Begins a collection.
   *
   * @param isSorted true if the file names a comparator
   * @param comparator null if it names none, or if it is an object that cannot be known yet
   */
  abstract void begin(
      int id, CollectionKind kind, boolean isSorted, @Nullable Comparator<?> comparator);

  /** Receives a value of the object that began last. */
  abstract void property(int id, Property property, @Nullable Object value);

  /**
   * Receives an entry or element of the collection that began last.
   *
   * @param value null if it is no map
   * @param hash the spread hash of the key, if the file has it
   */
  abstract void element(
      int id, @Nullable Object key, @Nullable Object value, @Nullable Integer hash);

  /** Ends the object or collection that began last; returns it, or null if it is not known yet. */
  abstract @Nullable Object end(int id);

  /**
   * Reads the value that starts at the parser's current token.
   *
   * @param property that has it, or null
   */
  final @Nullable Object value(JsonParser in, @Nullable Property property) {
    return switch (in.currentToken()) {
      case VALUE_NULL -> null;
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(in, property);
      case START_OBJECT -> tagged(in);
      case null, default ->
          throw new ImportException("found " + in.currentToken() + ", expected a value");
    };
  }

  private @Nullable Object scalar(JsonParser in, @Nullable Property property) {
    String text = in.getString();
    if (property != null && property.kind() == SlotKind.ENUM) {
      return constant(property.typeName(), text);
    }
    Scalars.Scalar declared = property == null ? null : Scalars.ofProperty(property);
    if (property != null && declared != null) {
      if (in.currentToken() != JsonToken.VALUE_STRING
          && (declared.type() == String.class || declared.type() == Character.class)) {
        throw new ImportException(
            "%s has the number %s, expected a text of type %s"
                .formatted(property, text, property.typeName()));
      }
      return parsed(declared, text);
    }
    return switch (in.currentToken()) {
      case VALUE_NUMBER_INT -> parsed(tag("int"), text);
      case VALUE_NUMBER_FLOAT -> parsed(tag("double"), text);
      case null, default -> text;
    };
  }

  private static Scalars.Scalar tag(String name) {
    Scalars.Scalar scalar = Scalars.tagged(name);
    if (scalar == null) {
      throw new ImportException("no value has the tag @" + name);
    }
    return scalar;
  }

  private static Object parsed(Scalars.Scalar scalar, String text) {
    try {
      return scalar.value().apply(text);
    } catch (RuntimeException e) {
      throw new ImportException(
          "\"%s\" is no %s: %s".formatted(text, scalar.type().getName(), e.getMessage()), e);
    }
  }

  private GenericEnum constant(String className, String name) {
    if (store.catalogue().find(className) instanceof EnumType type) {
      GenericEnum constant = writer.constant(type, name);
      if (constant != null) {
        return constant;
      }
    }
    throw new ImportException("the catalogue has no constant " + name + " of enum " + className);
  }

  private @Nullable Object tagged(JsonParser in) {
    String first = in.nextName();
    JsonToken _ = in.nextToken();
    return tagged(in, first);
  }

  private @Nullable Object tagged(JsonParser in, @Nullable String first) {
    if (first == null) {
      throw new ImportException("found {}, expected an object with a name that begins with @");
    }
    Object value =
        switch (first) {
          case "@id" -> object(in);
          case "@ref" -> reference(in.getLongValue());
          case "@enum" -> constant(in.getString(), string(in, "name"));
          case "@class of" -> new GenericClass(in.getString());
          case "@value" -> registered(in);
          case "@record" -> record(in);
          case "@array" -> array(in);
          default -> {
            if (!first.startsWith("@")) {
              throw new ImportException(
                  "found an object that begins with \"" + first + "\", expected a name with @");
            }
            yield first.endsWith("[]")
                ? primitives(in, first.substring(1, first.length() - 2))
                : parsed(tag(first.substring(1)), in.getString());
          }
        };
    boolean isEnded = first.equals("@id") || first.equals("@record");
    if (!isEnded && in.nextToken() != JsonToken.END_OBJECT) {
      throw new ImportException("found " + in.currentName() + " behind the value of " + first);
    }
    return value;
  }

  // ---- objects

  private @Nullable Object object(JsonParser in) {
    long read = in.getLongValue();
    if (read < 1 || read > idMax) {
      throw new ImportException(
          "found the @id %d, expected 1 to %d in a file of this size".formatted(read, idMax));
    }
    int id = (int) read;
    String kind = in.nextName();
    JsonToken _ = in.nextToken(); // a file that was cut in the id ends here
    if (begun.get(id)) {
      throw new ImportException("the @id %d is given twice, expected one object".formatted(id));
    }
    begun.set(id);
    if ("@class".equals(kind)) {
      bean(in, id, shape(in.getString()));
    } else if ("@collection".equals(kind)) {
      collection(in, id, kind(in.getString()));
    } else {
      throw new ImportException(
          "the object %d has %s, expected @class or @collection".formatted(id, kind));
    }
    return end(id);
  }

  private void bean(JsonParser in, int id, Shape newest) {
    Shape shape = newest;
    String name = in.nextName();
    if ("@shape".equals(name)) {
      shape = olderShape(in, newest);
      name = in.nextName();
    }
    begin(id, shape);
    Set<String> given = new HashSet<>();
    for (; name != null; name = in.nextName()) {
      JsonToken _ = in.nextToken();
      Property property = property(shape, name);
      if (!given.add(name)) {
        throw twice(newest, name);
      }
      property(id, property, value(in, newest, property));
    }
    requireAll(shape, newest, given);
  }

  /** Reads the value of a property of an object or record. */
  private @Nullable Object value(JsonParser in, Shape owner, Property property) {
    if (in.currentToken() == JsonToken.VALUE_NULL && property.kind().isPrimitive()) {
      throw new ImportException(property + " cannot be null");
    }
    Object value = value(in, property);
    types.check(owner.className(), property, value);
    return value;
  }

  private Shape olderShape(JsonParser in, Shape newest) {
    JsonToken _ = in.nextToken();
    Shape shape = shape(in.getIntValue());
    if (store.catalogue().newest(shape).id() != newest.id()) {
      throw new ImportException(
          "the shape %d is one of class %s, expected one of class %s"
              .formatted(in.getIntValue(), shape.className(), newest.className()));
    }
    return shape;
  }

  private static ImportException twice(Shape owner, String name) {
    return new ImportException(
        "property %s of %s is given twice, expected one value".formatted(name, owner.className()));
  }

  private static void requireAll(Shape shape, Shape owner, Set<String> given) {
    for (Property property : shape.properties()) {
      if (!given.contains(property.name())) {
        throw new ImportException(
            "found %s with no %s, expected all properties of the class; write %s for none"
                .formatted(
                    owner.className(),
                    property.name(),
                    property.kind().isPrimitive() ? "0 or false" : "null"));
      }
    }
  }

  private static CollectionKind kind(String name) {
    for (CollectionKind kind : CollectionKind.values()) {
      if (kind.toString().equals(name)) {
        return kind;
      }
    }
    throw new ImportException("no collection is a " + name);
  }

  private void collection(JsonParser in, int id, CollectionKind kind) {
    String name = in.nextName();
    JsonToken _ = in.nextToken();
    boolean isSorted = "comparator".equals(name);
    begin(id, kind, isSorted, isSorted ? comparator(in) : null);
    if (isSorted) {
      name = in.nextName();
      JsonToken _ = in.nextToken();
    }
    boolean isMap = "entries".equals(name);
    if (!isMap && !"elements".equals(name)) {
      throw new ImportException("a collection has " + name + ", expected entries or elements");
    }
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (isMap) {
        entry(in, id);
      } else {
        element(in, id);
      }
    }
    if (in.nextToken() != JsonToken.END_OBJECT) {
      throw new ImportException("a collection has more than its elements");
    }
  }

  private void entry(JsonParser in, int id) {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      throw new ImportException("found an entry that is no array of a key and a value");
    }
    JsonToken _ = in.nextToken();
    Object key = value(in, null);
    JsonToken _ = in.nextToken();
    Object value = value(in, null);
    Integer hash = null;
    if (in.nextToken() != JsonToken.END_ARRAY) {
      hash = in.getIntValue();
      if (in.nextToken() != JsonToken.END_ARRAY) {
        throw new ImportException("an entry has more than a key, a value and a hash");
      }
    }
    element(id, key, value, hash);
  }

  private void element(JsonParser in, int id) {
    if (in.currentToken() == JsonToken.START_OBJECT) {
      String first = in.nextName();
      JsonToken _ = in.nextToken();
      if ("@hash".equals(first)) {
        int hash = in.getIntValue();
        next(in, "element");
        element(id, value(in, null), null, hash);
        if (in.nextToken() != JsonToken.END_OBJECT) {
          throw new ImportException("an element has more than a hash and a value");
        }
      } else {
        element(id, tagged(in, first), null, null);
      }
    } else {
      element(id, value(in, null), null, null);
    }
  }

  private @Nullable Comparator<?> comparator(JsonParser in) {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      return Comparators.named(in.getString());
    }
    String name = in.nextName();
    JsonToken _ = in.nextToken();
    Comparator<?> comparator =
        switch (name) {
          case "reversed" -> {
            Comparator<?> inner = comparator(in);
            yield inner == null ? null : Collections.reverseOrder(inner);
          }
          case "field" -> new GenericComparator(in.getString());
          case "value" -> {
            Object value = value(in, null);
            if (value != null && !(value instanceof Comparator)) {
              throw new ImportException(value + " is no comparator");
            }
            yield (Comparator<?>) value;
          }
          case null, default -> throw new ImportException("no comparator is described by " + name);
        };
    if (in.nextToken() != JsonToken.END_OBJECT) {
      throw new ImportException("a comparator has more than " + name);
    }
    return comparator;
  }

  // ---- values

  static void next(JsonParser in, String name) {
    String found = in.nextName();
    if (!name.equals(found)) {
      throw new ImportException(
          "found %s, expected \"%s\"".formatted(found == null ? "nothing more" : found, name));
    }
    JsonToken _ = in.nextToken();
  }

  private static String string(JsonParser in, String name) {
    next(in, name);
    return in.getString();
  }

  private GenericValue registered(JsonParser in) {
    String name = in.getString();
    next(in, "version");
    int version = in.getIntValue();
    byte[] bytes = Base64.getDecoder().decode(string(in, "bytes"));
    for (CatalogueEntry entry : entries.values()) {
      if (entry instanceof ValueType type
          && type.name().equals(name)
          && type.version() == version) {
        return new GenericValue(type, bytes);
      }
    }
    throw new ImportException("the catalogue has no value type " + name + ", version " + version);
  }

  /** Returns the newest shape of a class. */
  final Shape shape(String className) {
    if (store.catalogue().find(className) instanceof Shape shape) {
      return shape;
    }
    throw new ImportException("the catalogue has no class " + className);
  }

  /** Returns the shape of an id in the file. */
  final Shape shape(int id) {
    if (CatalogueJson.entry(entries, id) instanceof Shape shape) {
      return shape;
    }
    throw new ImportException("entry " + id + " of the catalogue is no class");
  }

  static Property property(Shape shape, String name) {
    for (Property property : shape.properties()) {
      if (property.name().equals(name)) {
        return property;
      }
    }
    throw new ImportException("class " + shape.className() + " has no property " + name);
  }

  @SuppressWarnings("NullAway") // a component may be null
  private GenericRecord record(JsonParser in) {
    Shape newest = shape(in.getString());
    Shape shape = newest;
    String name = in.nextName();
    if ("@shape".equals(name)) {
      shape = olderShape(in, newest);
      name = in.nextName();
    }
    TreeMap<String, @Nullable Object> parts = new TreeMap<>();
    for (; name != null; name = in.nextName()) {
      JsonToken _ = in.nextToken();
      Property property = property(shape, name);
      if (parts.containsKey(name)) {
        throw twice(newest, name);
      }
      parts.put(name, value(in, newest, property));
    }
    requireAll(shape, newest, parts.keySet());
    return new GenericRecord(shape, store.catalogue().newest(shape).className(), parts);
  }

  @SuppressWarnings("NullAway") // an element may be null
  private GenericArray array(JsonParser in) {
    Shape shape = shape(in.getString());
    if (!shape.className().startsWith("[")) {
      throw new ImportException("class " + shape.className() + " is no class of arrays");
    }
    next(in, "elements");
    List<@Nullable Object> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      Object element = value(in, null);
      types.checkElement(shape, element);
      elements.add(element);
    }
    return new GenericArray(shape, elements);
  }

  private static Object primitives(JsonParser in, String type) {
    Class<?> element = PRIMITIVES.get(type);
    if (element == null) {
      throw new ImportException("no array has elements of type " + type);
    }
    List<Object> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      elements.add(parsed(tag(type), in.getString()));
    }
    Object array = Array.newInstance(element, elements.size());
    for (int i = 0; i < elements.size(); i++) {
      Array.set(array, i, elements.get(i));
    }
    return array;
  }
}
