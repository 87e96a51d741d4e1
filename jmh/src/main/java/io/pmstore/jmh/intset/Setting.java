package io.pmstore.jmh.intset;

import io.pmstore.Storage;
import org.jspecify.annotations.Nullable;

/** Where a set is kept. */
enum Setting {
  JAVA("java", "memory", "none", null),
  PMEM("pmstore", "pmem", "sync", Storage.PERSISTENT_MEMORY),
  FILE("pmstore", "file", "sync", Storage.FILE),
  LLPL("pmstore-llpl", "pmem", "sync", Storage.LLPL);

  private final String target;
  private final String medium;
  private final String durability;
  private final @Nullable Storage storage;

  Setting(String target, String medium, String durability, @Nullable Storage storage) {
    this.target = target;
    this.medium = medium;
    this.durability = durability;
    this.storage = storage;
  }

  String target() {
    return target;
  }

  String medium() {
    return medium;
  }

  String durability() {
    return durability;
  }

  /** Null if nothing is kept. */
  @Nullable Storage storage() {
    return storage;
  }
}
