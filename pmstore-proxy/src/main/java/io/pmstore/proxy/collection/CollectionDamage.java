package io.pmstore.proxy.collection;

import io.pmstore.StoreDamagedException;
import org.jspecify.annotations.Nullable;

/**
 * Creates the exceptions for collections whose bytes pmstore cannot have written. Nodes report what
 * they found and expected; {@link Contents}, through which every operation goes, adds which
 * collection it is.
 *
 * <p>Code that follows references bounds its path by an invariant of sound collections (heights,
 * counts, ascending numbers) or by a {@link io.pmstore.core.heap.Trail}. So every operation ends,
 * whatever the bytes are.
 */
final class CollectionDamage {
  /** More levels than a tree with 2^63 elements has if each node has three children or more. */
  static final int LEVELS_MAX = 48;

  /**
   * How many keys to check after an exception that a damaged key may have caused. Most exceptions
   * have another cause, and must not take long; verification checks all keys.
   */
  static final int KEYS_MAX = 1 << 10;

  private CollectionDamage() {}

  /** Returns the exception for a key that cannot be one of its collection. */
  static StoreDamagedException key(long node, @Nullable Object key, RuntimeException why) {
    String found = key == null ? "null" : "one of " + key.getClass().getName();
    return new StoreDamagedException(
        "a node at heap address %d has %s as a key: %s; restore the store from a backup"
            .formatted(node, found, why.getMessage()),
        why);
  }

  /** Returns the exception for a node that has {@code found} instead of {@code expected}. */
  static StoreDamagedException in(String node, long address, String found, String expected) {
    return new StoreDamagedException(
        "%s at heap address %d has %s, expected %s; restore the store from a backup"
            .formatted(node, address, found, expected));
  }

  /** Prefixes the message with the collection's name and address, unless it begins with them. */
  static StoreDamagedException of(Contents collection, StoreDamagedException damage) {
    String name =
        "the %s at heap address %d".formatted(collection.kind(), collection.handle().identity());
    String message = damage.getMessage();
    return message != null && message.startsWith(name)
        ? damage
        : new StoreDamagedException(name + ": " + message, damage);
  }
}
