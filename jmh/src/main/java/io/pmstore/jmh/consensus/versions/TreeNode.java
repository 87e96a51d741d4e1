package io.pmstore.jmh.consensus.versions;

/**
 * A node of a {@link VersionTree}, copied from the region.
 *
 * <pre>
 *   word 0          1      2 ...
 *  +---------------+------+----------------------------------------------+
 *  | leaf << 8     | zero | entries of five words: key, index, reference |
 *  | + entries     |      | to a record (leaf) or a node                 |
 *  +---------------+------+----------------------------------------------+
 * </pre>
 *
 * <p>The version of an entry of an inner node is not larger than those of its child, but for the
 * first entry.
 */
final class TreeNode {
  static final int ENTRIES_MIN = 4;
  static final int ENTRIES_MAX = 7;
  static final int BYTES = (2 + ENTRIES_MAX * 5) * 8;

  private static final int FIRST = 2;
  private static final int WORDS = 5;
  private static final int REFERENCE = 4;
  private static final long LEAF = 1 << 8;

  private final long[] words = new long[FIRST + (ENTRIES_MAX + 1) * WORDS];

  static TreeNode leaf() {
    TreeNode node = new TreeNode();
    node.words[0] = LEAF;
    return node;
  }

  static TreeNode inner() {
    return new TreeNode();
  }

  static TreeNode read(Region region, long at) {
    TreeNode node = new TreeNode();
    int count = (int) (region.getLong(at) & 0xff);
    region.getWords(at, node.words, FIRST + count * WORDS);
    return node;
  }

  void write(Region region, long at) {
    region.putWords(at, words, FIRST + count() * WORDS);
  }

  boolean isLeaf() {
    return (words[0] & LEAF) != 0;
  }

  int count() {
    return (int) (words[0] & 0xff);
  }

  VersionKey key(int entry) {
    int at = FIRST + entry * WORDS;
    return new VersionKey(words[at], words[at + 1], words[at + 2], words[at + 3]);
  }

  long reference(int entry) {
    return words[FIRST + entry * WORDS + REFERENCE];
  }

  void setReference(int entry, long reference) {
    words[FIRST + entry * WORDS + REFERENCE] = reference;
  }

  void setKey(int entry, VersionKey key) {
    int at = FIRST + entry * WORDS;
    words[at] = key.a();
    words[at + 1] = key.b();
    words[at + 2] = key.c();
    words[at + 3] = key.index();
  }

  void insert(int entry, VersionKey key, long reference) {
    int at = FIRST + entry * WORDS;
    System.arraycopy(words, at, words, at + WORDS, (count() - entry) * WORDS);
    words[0]++;
    setKey(entry, key);
    setReference(entry, reference);
  }

  void remove(int entry) {
    int at = FIRST + entry * WORDS;
    System.arraycopy(words, at + WORDS, words, at, (count() - entry - 1) * WORDS);
    words[0]--;
  }

  /** Moves the upper half to a new node. */
  TreeNode split() {
    TreeNode right = isLeaf() ? leaf() : inner();
    int kept = count() / 2;
    int moved = count() - kept;
    System.arraycopy(words, FIRST + kept * WORDS, right.words, FIRST, moved * WORDS);
    right.words[0] += moved;
    words[0] -= moved;
    return right;
  }

  /** Appends all entries of the next node. */
  void append(TreeNode next) {
    System.arraycopy(next.words, FIRST, words, FIRST + count() * WORDS, next.count() * WORDS);
    words[0] += next.count();
  }

  /** Returns the last entry that is not larger than a version, or -1. */
  int floor(VersionKey key) {
    for (int entry = count() - 1; entry >= 0; entry--) {
      int at = FIRST + entry * WORDS;
      if (key.compare(words[at], words[at + 1], words[at + 2], words[at + 3]) >= 0) {
        return entry;
      }
    }
    return -1;
  }
}
