package io.pmstore.proxy.slot;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bytecode.PropertyCode;
import io.pmstore.spi.ObjectHandle;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes properties of any kind as their accessors do, through the handle of a persistent
 * object. {@code index} is that of the property in its shape; primitive values are boxed.
 */
public final class PropertySlots {
  private PropertySlots() {}

  public static @Nullable Object read(ObjectHandle from, Property property, int index) {
    int at = property.offset();
    return switch (property.kind()) {
      case BOOLEAN -> (Object) from.getBoolean(at);
      case BYTE -> from.getByte(at);
      case SHORT -> from.getShort(at);
      case CHAR -> from.getChar(at);
      case INT -> from.getInt(at);
      case LONG -> from.getLong(at);
      case FLOAT -> from.getFloat(at);
      case DOUBLE -> from.getDouble(at);
      default -> from.getObject(at, PropertyCode.of(property.kind(), index));
    };
  }

  /** Copies a property from one object to another. */
  public static void copy(ObjectHandle from, ObjectHandle to, Property property, int index) {
    int at = property.offset();
    switch (property.kind()) {
      case BOOLEAN, BYTE -> to.putByte(at, from.getByte(at));
      case SHORT -> to.putShort(at, from.getShort(at));
      case CHAR -> to.putChar(at, from.getChar(at));
      case INT, FLOAT -> to.putInt(at, from.getInt(at));
      case LONG, DOUBLE -> to.putLong(at, from.getLong(at));
      default -> {
        int code = PropertyCode.of(property.kind(), index);
        to.putObject(at, code, from.getObject(at, code));
      }
    }
  }
}
