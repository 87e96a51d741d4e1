package io.pmstore.jmh.intset;

/** The structures, by the names that the report knows. */
enum Structure {
  LIST("list", 12),
  HASH("hash", 16),
  SKIP_LIST("skip list", 16);

  private final String label;
  private final int bitsMax;

  Structure(String label, int bitsMax) {
    this.label = label;
    this.bitsMax = bitsMax;
  }

  String label() {
    return label;
  }

  /** The largest size that is measured is 2 to this power. */
  int bitsMax() {
    return bitsMax;
  }

  /** A plain, empty one, for about so many keys. */
  IntSet create(int size) {
    return switch (this) {
      case LIST -> new SortedList();
      case HASH -> new HashTable(size);
      case SKIP_LIST -> new SkipList();
    };
  }
}
