package io.pmstore.core.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.heap.Utf8;
import io.pmstore.core.medium.Checksum;
import io.pmstore.core.space.ObjectLayout;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the catalogue, as bytes.
 *
 * <pre>
 *   0         1       2        4           8
 *  +---------+-------+--------+-----------+----------------------------------------------+
 *  | version | kind  | zero   | checksum  | contents                                     |
 *  +---------+-------+--------+-----------+----------------------------------------------+
 *
 *  kind 1, a shape:   class name, superclass name, object size (u32), number of properties (u16), then for each
 *                     slot kind (u8), offset (u32), name, declared type; then predecessor (u32), and unless that is 0
 *                     for each property its origin: kind (u8), index (u16)
 *  kind 2, an enum:   class name, number of constants (u32), then for each its name; then predecessor (u32)
 *  kind 3, upgraded:  class name, shape id (u32)
 *  kind 4, a value type: class name, name of the codec, version of the codec (u32)
 *  kind 5, own hash:  class name, shape id (u32)
 *
 *  a name:            length (u16), that many bytes of UTF-8
 * </pre>
 *
 * <p>Little-endian. The checksum is CRC32C of the whole entry with zeros in the checksum's place.
 */
final class CatalogueLayout {
  static final int VERSION = 1;
  static final int KIND_SHAPE = 1;
  static final int KIND_ENUM = 2;
  static final int KIND_UPGRADED = 3;
  static final int KIND_VALUE_TYPE = 4;
  static final int KIND_OWN_HASH = 5;

  static final int VERSION_OFFSET = 0;
  static final int KIND_OFFSET = 1;
  static final int CHECKSUM_OFFSET = 4;
  static final int CONTENTS_OFFSET = 8;

  private CatalogueLayout() {}

  static byte[] encode(CatalogueEntry entry) {
    Writer writer = new Writer();
    writer.u8(VERSION);
    writer.u8(
        switch (entry) {
          case Shape shape -> KIND_SHAPE;
          case EnumType type -> KIND_ENUM;
          case Upgraded upgraded -> KIND_UPGRADED;
          case ValueType type -> KIND_VALUE_TYPE;
          case OwnHash mark -> KIND_OWN_HASH;
        });
    writer.u16(0);
    writer.u32(0);
    writer.name(entry.className());
    switch (entry) {
      case Shape shape -> {
        writer.name(shape.superclassName());
        writer.u32(shape.size());
        writer.u16(shape.properties().size());
        for (Property property : shape.properties()) {
          writer.u8(property.kind().code());
          writer.u32(property.offset());
          writer.name(property.name());
          writer.name(property.declared());
        }
        writer.u32(shape.predecessor());
        for (Origin origin : shape.origins()) {
          writer.u8(origin.kind().code());
          writer.u16(origin.index());
        }
      }
      case EnumType type -> {
        writer.u32(type.constants().size());
        type.constants().forEach(writer::name);
        writer.u32(type.predecessor());
      }
      case Upgraded upgraded -> writer.u32(upgraded.shapeId());
      case OwnHash mark -> writer.u32(mark.shapeId());
      case ValueType type -> {
        writer.name(type.name());
        writer.u32(type.version());
      }
    }
    byte[] bytes = writer.bytes.toByteArray();
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(CHECKSUM_OFFSET, Checksum.around(bytes, CHECKSUM_OFFSET));
    return bytes;
  }

  static CatalogueEntry decode(int id, byte[] bytes) {
    if (bytes.length < CONTENTS_OFFSET) {
      throw damaged(
          id, "it has " + bytes.length + " bytes, expected " + CONTENTS_OFFSET + " or more", null);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int found = buffer.getInt(CHECKSUM_OFFSET);
    int computed = Checksum.around(bytes, CHECKSUM_OFFSET);
    if (found != computed) {
      throw damaged(
          id, "its checksum is %08x, its bytes have %08x".formatted(found, computed), null);
    }
    int version = bytes[VERSION_OFFSET] & 0xff;
    if (version != VERSION) {
      throw new StoreFormatException(
          "entry %d of the type catalogue has version %d, this program knows version %d; open the store with the program that wrote it"
              .formatted(id, version, VERSION));
    }
    buffer.position(CONTENTS_OFFSET);
    try {
      int kind = bytes[KIND_OFFSET] & 0xff;
      CatalogueEntry entry =
          switch (kind) {
            case KIND_SHAPE -> shape(id, buffer);
            case KIND_ENUM -> enumType(id, buffer);
            case KIND_UPGRADED -> new Upgraded(id, name(buffer), earlier(id, buffer, 1));
            case KIND_VALUE_TYPE -> valueType(id, buffer);
            case KIND_OWN_HASH -> new OwnHash(id, name(buffer), earlier(id, buffer, 1));
            default -> throw damaged(id, "its kind is " + kind + ", expected 1 to 5", null);
          };
      if (buffer.hasRemaining()) {
        throw damaged(id, buffer.remaining() + " bytes follow its contents, expected none", null);
      }
      return entry;
    } catch (BufferUnderflowException e) {
      throw damaged(id, "it ends after " + bytes.length + " bytes, inside its contents", e);
    }
  }

  private static Shape shape(int id, ByteBuffer buffer) {
    String className = name(buffer);
    String superclassName = name(buffer);
    int size = buffer.getInt();
    if (size < ObjectLayout.HEADER || size > ObjectLayout.SIZE_MAX || (size & 7) != 0) {
      throw damaged(
          id,
          "its objects have "
              + size
              + " bytes, expected a multiple of 8 up to "
              + ObjectLayout.SIZE_MAX,
          null);
    }
    int count = Short.toUnsignedInt(buffer.getShort());
    List<Property> properties = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SlotKind kind = SlotKind.ofCode(buffer.get() & 0xff);
      int offset = buffer.getInt();
      Property property = Property.ofDeclared(name(buffer), kind, name(buffer), offset);
      int alignment = Math.min(8, kind.width());
      if (offset < ObjectLayout.HEADER || offset > size - kind.width() || offset % alignment != 0) {
        throw damaged(
            id,
            "property "
                + property.name()
                + ", a "
                + kind
                + ", is at offset "
                + offset
                + " of an object of "
                + size
                + " bytes",
            null);
      }
      properties.add(property);
    }
    int predecessor = earlier(id, buffer, 0);
    List<Origin> origins = new ArrayList<>();
    for (int i = 0; predecessor != 0 && i < count; i++) {
      Origin.Kind kind = Origin.Kind.ofCode(buffer.get() & 0xff);
      int index = Short.toUnsignedInt(buffer.getShort());
      if (kind != Origin.Kind.STORED && index != 0) {
        throw damaged(id, "the index of an origin " + kind + " is " + index + ", expected 0", null);
      }
      origins.add(new Origin(kind, index));
    }
    return new Shape(id, className, superclassName, properties, size, predecessor, origins);
  }

  /** Reads the id of an earlier entry. */
  private static int earlier(int id, ByteBuffer buffer, int min) {
    int earlier = buffer.getInt();
    if (earlier < min || earlier >= id) {
      throw damaged(
          id,
          "it names entry %d, expected %d to %d, an earlier one".formatted(earlier, min, id - 1),
          null);
    }
    return earlier;
  }

  private static EnumType enumType(int id, ByteBuffer buffer) {
    String className = name(buffer);
    int count = buffer.getInt();
    List<String> constants = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      constants.add(name(buffer));
    }
    return new EnumType(id, className, constants, earlier(id, buffer, 0));
  }

  private static ValueType valueType(int id, ByteBuffer buffer) {
    ValueType type = new ValueType(id, name(buffer), name(buffer), buffer.getInt());
    if (type.version() < 1) {
      throw damaged(id, "its version is " + type.version() + ", expected 1 or more", null);
    }
    return type;
  }

  private static String name(ByteBuffer buffer) {
    int length = Short.toUnsignedInt(buffer.getShort());
    if (length > buffer.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] utf8 = new byte[length];
    buffer.get(utf8);
    return new String(utf8, UTF_8);
  }

  static StoreDamagedException damaged(int id, String what, @Nullable Throwable cause) {
    return new StoreDamagedException(
        "entry "
            + id
            + " of the type catalogue is damaged: "
            + what
            + "; restore the store from a backup",
        cause);
  }

  private static final class Writer {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void u8(int value) {
      bytes.write(value);
    }

    void u16(int value) {
      if (value > 0xffff) {
        throw new IllegalArgumentException(
            "a class has "
                + value
                + " properties or a name of as many bytes, expected at most 65535; divide it or"
                + " shorten the name");
      }
      u8(value);
      u8(value >>> 8);
    }

    void u32(int value) {
      u16(value & 0xffff);
      u16(value >>> 16);
    }

    void name(String name) {
      byte[] utf8 = Utf8.bytes(name, "name of a class or of its parts", "rename it");
      u16(utf8.length);
      bytes.writeBytes(utf8);
    }
  }
}
