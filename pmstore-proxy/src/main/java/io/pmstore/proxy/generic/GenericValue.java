package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value of a type that a program has registered with a codec, which this program lacks.
 *
 * @param type its type
 * @param bytes what the codec has made of it; not copied
 */
@SuppressWarnings("ArrayRecordComponent") // compared by contents below
public record GenericValue(ValueType type, byte[] bytes) {
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GenericValue value
        && value.type.equals(type)
        && Arrays.equals(value.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return type.name() + " of " + bytes.length + " bytes";
  }
}
