package io.pmstore.cli.json;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.value.Scalars;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericClass;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericValue;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Array;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes values as JSON, so that they can be read back as equal values of the same class.
 *
 * <p>A string, an {@code Integer}, a {@code Double}, a {@code Boolean} and null are what JSON has.
 * A value whose class is the declared type of its property, or an enum's constant there, is a
 * string or number. Every other one is an object with one property that names its type, such as
 * {@code {"@long": 5}}.
 */
public final class ValueWriter {
  private final JsonGenerator out;
  private final Catalogue catalogue;
  private final References references;

  /** Writes references to objects. */
  @FunctionalInterface
  public interface References {
    /** Writes a reference to an object or collection, or the object itself. */
    void write(JsonGenerator out, PersistentObject target);

    /**
     * Writes what stands for an object that cannot be read.
     *
     * @throws StoreDamagedException if the document would not be whole
     */
    default void damaged(JsonGenerator out, GenericDamage damage) {
      throw new StoreDamagedException(damage.message());
    }
  }

  /** A part of a document that writes itself. */
  @FunctionalInterface
  public interface Part {
    void write(JsonGenerator out);
  }

  /** Writes values of a store. */
  public ValueWriter(JsonGenerator out, Catalogue catalogue, References references) {
    this.out = out;
    this.catalogue = catalogue;
    this.references = references;
  }

  public void write(@Nullable Object value, Property property) {
    if (value == null || value instanceof GenericDamage) {
      write(value);
      return;
    }
    switch (property.kind()) {
      case REFERENCE -> write(value);
      case ENUM -> out.writeString(((GenericEnum) value).name());
      case CELL -> {
        if (value.getClass().getName().equals(property.typeName())) {
          plain(value);
        } else {
          write(value);
        }
      }
      default -> plain(value);
    }
  }

  /** Writes a value whose class is known. */
  private void plain(Object value) {
    switch (value) {
      case Boolean flag -> out.writeBoolean(flag);
      case Byte number -> out.writeNumber(number);
      case Short number -> out.writeNumber(number);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Float number when Float.isFinite(number) -> out.writeNumber(number);
      case Double number when Double.isFinite(number) -> out.writeNumber(number);
      default -> {
        Scalars.Scalar scalar = Scalars.of(value);
        if (scalar == null) {
          write(value);
        } else {
          out.writeString(scalar.text().apply(value));
        }
      }
    }
  }

  /** Writes a value of any class. */
  public void write(@Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case String text -> out.writeString(text);
      case Boolean flag -> out.writeBoolean(flag);
      case Integer number -> out.writeNumber(number);
      case Double number when Double.isFinite(number) -> out.writeNumber(number);
      case GenericEnum constant -> {
        out.writeStartObject();
        out.writeStringProperty("@enum", constant.type().className());
        out.writeStringProperty("name", constant.name());
        out.writeEndObject();
      }
      case GenericClass type -> {
        out.writeStartObject();
        out.writeStringProperty("@class of", type.name());
        out.writeEndObject();
      }
      case GenericValue registered -> {
        out.writeStartObject();
        out.writeStringProperty("@value", registered.type().name());
        out.writeNumberProperty("version", registered.type().version());
        out.writeStringProperty("bytes", Base64.getEncoder().encodeToString(registered.bytes()));
        out.writeEndObject();
      }
      case GenericRecord record -> {
        out.writeStartObject();
        out.writeStringProperty("@record", record.className());
        shapeIfOld(record.shape());
        for (Property property : record.shape().properties()) {
          out.writeName(property.name());
          write(record.values().get(property.name()), property);
        }
        out.writeEndObject();
      }
      case GenericArray array -> {
        out.writeStartObject();
        out.writeStringProperty("@array", array.shape().className());
        out.writeArrayPropertyStart("elements");
        array.elements().forEach(this::write);
        out.writeEndArray();
        out.writeEndObject();
      }
      case PersistentObject target -> references.write(out, target);
      case GenericDamage damage -> references.damaged(out, damage);
      default -> tagged(value);
    }
  }

  /** Writes the id of a shape, unless it is the newest one of its class. */
  public void shapeIfOld(Shape shape) {
    if (catalogue.newest(shape).id() != shape.id()) {
      out.writeNumberProperty("@shape", shape.id());
    }
  }

  private void tagged(Object value) {
    Scalars.Scalar scalar = Scalars.of(value);
    out.writeStartObject();
    if (scalar != null) {
      out.writeName("@" + scalar.tag());
      plain(value);
    } else if (value.getClass().isArray()) {
      primitives(value);
    } else {
      throw new IllegalArgumentException(
          "a value of class %s has no form in JSON; please report this"
              .formatted(value.getClass().getName()));
    }
    out.writeEndObject();
  }

  private void primitives(Object array) {
    out.writeArrayPropertyStart("@" + array.getClass().getComponentType().getName() + "[]");
    for (int i = 0; i < Array.getLength(array); i++) {
      plain(Array.get(array, i));
    }
    out.writeEndArray();
  }
}
