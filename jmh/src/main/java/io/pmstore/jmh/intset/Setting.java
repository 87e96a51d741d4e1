package io.pmstore.jmh.intset;

import io.pmstore.Storage;
import io.pmstore.jmh.results.Subject;
import org.jspecify.annotations.Nullable;

/** Where a set is kept. */
enum Setting {
  JAVA("java", Subject.MEMORY, Subject.NONE, null),
  PMEM("pmstore", Subject.PMEM, Subject.SYNC, Storage.PERSISTENT_MEMORY),
  FILE("pmstore", Subject.FILE, Subject.SYNC, Storage.FILE),
  LLPL("pmstore-llpl", Subject.PMEM, Subject.SYNC, Storage.LLPL);

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
