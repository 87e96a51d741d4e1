package io.pmstore.jmh.consensus.versions;

import org.jspecify.annotations.Nullable;

/**
 * A key gets a value.
 *
 * @param conditional true if only where the key has the value {@code expected}
 * @param expected null if the key has to be absent; not used if unconditional
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares changes
public record Change(String key, byte[] value, boolean conditional, byte @Nullable [] expected) {
  public static Change set(String key, byte[] value) {
    return new Change(key, value, false, null);
  }
}
