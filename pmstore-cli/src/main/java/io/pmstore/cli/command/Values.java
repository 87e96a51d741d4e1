package io.pmstore.cli.command;

import io.pmstore.cli.json.ValueWriter;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Values in the results of commands. */
final class Values {
  private Values() {}

  /** Returns the class of an object, or the kind of a collection. */
  static String className(OpenedStore store, PersistentObject object) {
    return object instanceof GenericObject generic
        ? generic.className()
        : ValueText.kind(object)
            + " ("
            + store.generic().shapeAt(GenericStore.address(object)).className()
            + ")";
  }

  /** Returns a value as a part of a JSON document; objects are references. */
  static ValueWriter.Part part(OpenedStore store, @Nullable Object value) {
    return out -> new ValueWriter(out, store.catalogue(), new Shown()).write(value);
  }

  /** Returns the value of a property as a part of a JSON document; objects are references. */
  static ValueWriter.Part part(OpenedStore store, @Nullable Object value, Property property) {
    return out -> new ValueWriter(out, store.catalogue(), new Shown()).write(value, property);
  }

  /** Returns the properties of an object, in the order of their names. */
  static List<Property> properties(GenericObject object) {
    return object.shape().properties().stream()
        .sorted(Comparator.comparing(Property::name))
        .toList();
  }

  /** Writes objects as references, and goes on where one is damaged. */
  private static final class Shown implements ValueWriter.References {
    @Override
    public void write(JsonGenerator out, PersistentObject target) {
      reference(out, target);
    }

    @Override
    public void damaged(JsonGenerator out, GenericDamage damage) {
      out.writeStartObject();
      out.writeNumberProperty("@address", damage.address());
      out.writeStringProperty("@damaged", damage.message());
      out.writeEndObject();
    }
  }

  private static void reference(JsonGenerator out, PersistentObject target) {
    out.writeStartObject();
    out.writeNumberProperty("@address", GenericStore.address(target));
    if (target instanceof GenericObject object) {
      out.writeStringProperty("@class", object.className());
    } else {
      out.writeStringProperty("@collection", ValueText.kind(target));
      out.writeNumberProperty("size", ValueText.size(target));
    }
    out.writeEndObject();
  }
}
