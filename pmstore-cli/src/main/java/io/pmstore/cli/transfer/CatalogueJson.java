package io.pmstore.cli.transfer;

import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.OwnHash;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.generic.GenericStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.core.JsonGenerator;

/** The type catalogue as JSON: classes with their shapes, enums, value types. */
final class CatalogueJson {
  private static final String FOLLOWS = "follows";

  private CatalogueJson() {}

  // ---- writing

  static void write(JsonGenerator out, Catalogue catalogue) {
    out.writeStartArray();
    for (CatalogueEntry entry : catalogue.entries()) {
      switch (entry) {
        case Shape shape when GenericStore.isOwn(shape) -> {}
        case Shape shape -> write(out, shape, catalogue);
        case EnumType type -> {
          out.writeStartObject();
          out.writeNumberProperty("enum", type.id());
          out.writeStringProperty("class", type.className());
          follows(out, type.predecessor());
          out.writeArrayPropertyStart("constants");
          type.constants().forEach(out::writeString);
          out.writeEndArray();
          out.writeEndObject();
        }
        case ValueType type -> {
          out.writeStartObject();
          out.writeNumberProperty("valueType", type.id());
          out.writeStringProperty("class", type.className());
          out.writeStringProperty("name", type.name());
          out.writeNumberProperty("version", type.version());
          out.writeEndObject();
        }
        case Upgraded upgraded -> {
          out.writeStartObject();
          out.writeNumberProperty("upgraded", upgraded.id());
          out.writeStringProperty("class", upgraded.className());
          out.writeNumberProperty("shape", upgraded.shapeId());
          out.writeEndObject();
        }
        case OwnHash mark -> {
          out.writeStartObject();
          out.writeNumberProperty("ownHash", mark.id());
          out.writeStringProperty("class", mark.className());
          out.writeNumberProperty("shape", mark.shapeId());
          out.writeEndObject();
        }
      }
    }
    out.writeEndArray();
  }

  private static void write(JsonGenerator out, Shape shape, Catalogue catalogue) {
    out.writeStartObject();
    out.writeNumberProperty("shape", shape.id());
    out.writeStringProperty("class", shape.className());
    out.writeStringProperty("superclass", shape.superclassName());
    follows(out, shape.predecessor());
    out.writeArrayPropertyStart("properties");
    for (int i = 0; i < shape.properties().size(); i++) {
      Property property = shape.properties().get(i);
      out.writeStartObject();
      out.writeStringProperty("name", property.name());
      out.writeStringProperty("kind", property.kind().name());
      out.writeStringProperty("type", property.declared());
      if (shape.predecessor() != 0) {
        Origin origin = shape.origins().get(i);
        out.writeStringProperty("origin", origin.kind().name());
        if (origin.kind() == Origin.Kind.STORED) {
          out.writeStringProperty(
              "from", catalogue.shape(shape.predecessor()).properties().get(origin.index()).name());
        }
      }
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void follows(JsonGenerator out, int predecessor) {
    if (predecessor != 0) {
      out.writeNumberProperty(FOLLOWS, predecessor);
    }
  }

  // ---- reading

  /**
   * Adds entries to the catalogue of a new store.
   *
   * @param entries an array as {@link #write} writes it: lists, maps, strings and longs
   * @return the new entry for each id in the document
   */
  static Map<Integer, CatalogueEntry> add(List<?> entries, Catalogue catalogue) {
    Map<Integer, CatalogueEntry> added = new HashMap<>();
    for (Object entry : entries) {
      if (!(entry instanceof Map<?, ?> fields)) {
        throw new ImportException("the catalogue has " + entry + ", expected objects only");
      }
      add(fields, catalogue, added);
    }
    return added;
  }

  private static void add(
      Map<?, ?> fields, Catalogue catalogue, Map<Integer, CatalogueEntry> added) {
    String className = text(fields, "class");
    if (fields.containsKey("properties")) {
      added.put(number(fields, "shape"), catalogue.add(shape(fields, className, added)));
    } else if (fields.containsKey("enum")) {
      List<String> constants = new ArrayList<>();
      list(fields, "constants").forEach(name -> constants.add(String.valueOf(name)));
      EnumType type = new EnumType(0, className, constants, predecessor(fields, added));
      added.put(number(fields, "enum"), catalogue.add(type));
    } else if (fields.containsKey("valueType")) {
      ValueType type = new ValueType(0, className, text(fields, "name"), number(fields, "version"));
      added.put(number(fields, "valueType"), catalogue.define(type));
    } else if (fields.containsKey("upgraded")) {
      int shape = entry(added, number(fields, "shape")).id();
      CatalogueEntry _ = catalogue.add(new Upgraded(0, className, shape));
    } else if (fields.containsKey("ownHash")) {
      int shape = entry(added, number(fields, "shape")).id();
      CatalogueEntry _ = catalogue.add(new OwnHash(0, className, shape));
    } else {
      throw new ImportException("the catalogue has an entry of no known kind: " + fields);
    }
  }

  private static Shape shape(
      Map<?, ?> fields, String className, Map<Integer, CatalogueEntry> added) {
    Map<String, Map<?, ?>> byName = new HashMap<>();
    List<Property> properties = new ArrayList<>();
    for (Object element : list(fields, "properties")) {
      if (!(element instanceof Map<?, ?> property)) {
        throw new ImportException("class " + className + " has the property " + element);
      }
      byName.put(text(property, "name"), property);
      properties.add(
          Property.ofDeclared(
              text(property, "name"),
              SlotKind.valueOf(text(property, "kind")),
              text(property, "type"),
              0));
    }
    Shape shape = Shape.layOut(className, text(fields, "superclass"), properties);
    int predecessor = predecessor(fields, added);
    if (predecessor == 0) {
      return shape;
    }
    Shape before = (Shape) entry(added, number(fields, FOLLOWS));
    List<Origin> origins =
        shape.properties().stream()
            .map(property -> origin(Objects.requireNonNull(byName.get(property.name())), before))
            .toList();
    return shape.after(predecessor, origins);
  }

  private static Origin origin(Map<?, ?> property, Shape before) {
    return switch (Origin.Kind.valueOf(text(property, "origin"))) {
      case INITIAL -> Origin.INITIAL;
      case FUNCTION -> Origin.FUNCTION;
      case STORED -> {
        List<String> names = before.properties().stream().map(Property::name).toList();
        int index = names.indexOf(text(property, "from"));
        if (index < 0) {
          throw new ImportException(
              "property %s comes from %s, which shape %s does not have"
                  .formatted(text(property, "name"), text(property, "from"), before));
        }
        yield Origin.stored(index);
      }
    };
  }

  private static int predecessor(Map<?, ?> fields, Map<Integer, CatalogueEntry> added) {
    return fields.containsKey(FOLLOWS) ? entry(added, number(fields, FOLLOWS)).id() : 0;
  }

  static CatalogueEntry entry(Map<Integer, CatalogueEntry> added, int id) {
    CatalogueEntry entry = added.get(id);
    if (entry == null) {
      throw new ImportException("the catalogue has no entry " + id + " before it is named");
    }
    return entry;
  }

  private static String text(Map<?, ?> fields, String name) {
    return field(fields, name, String.class);
  }

  private static int number(Map<?, ?> fields, String name) {
    return Math.toIntExact(field(fields, name, Long.class));
  }

  private static List<?> list(Map<?, ?> fields, String name) {
    return field(fields, name, List.class);
  }

  private static <T> T field(Map<?, ?> fields, String name, Class<T> type) {
    if (type.isInstance(fields.get(name))) {
      return type.cast(fields.get(name));
    }
    throw new ImportException("the catalogue has an entry without " + name + ": " + fields);
  }
}
