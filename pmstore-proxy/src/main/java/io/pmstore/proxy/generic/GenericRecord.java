package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.Shape;
import java.util.Collections;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A record, or an {@code Optional}, which counts as a record with one component. Immutable.
 *
 * @param shape its shape, which may be an older one of its class
 * @param className the name of its class today
 * @param values its components, in the order of their names
 */
public record GenericRecord(
    Shape shape, String className, SequencedMap<String, @Nullable Object> values) {
  /** Copies the map. */
  public GenericRecord {
    values = Collections.unmodifiableSequencedMap(new TreeMap<>(values));
  }
}
