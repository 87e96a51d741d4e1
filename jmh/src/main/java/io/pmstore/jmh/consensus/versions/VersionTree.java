package io.pmstore.jmh.consensus.versions;

import java.util.function.LongConsumer;

/**
 * A persistent B+ tree; nodes have four to seven entries, but for the root. A node that is durable
 * is copied when it changes, and so are those above it; one that was copied since the last persist
 * is changed in place.
 */
final class VersionTree implements VersionIndex {
  private final Region region;
  private long root;

  private TreeNode made = TreeNode.leaf(); // the node behind the one that insert has split
  private long madeAt; // 0 if it has not

  /** Reads the tree whose root is at an address; 0 if it is empty. */
  VersionTree(Region region, long root) {
    this.region = region;
    this.root = root;
    if (root != 0) {
      markUsed(root);
    }
  }

  private void markUsed(long at) {
    region.markUsed(at, TreeNode.BYTES);
    TreeNode node = TreeNode.read(region, at);
    for (int i = 0; i < node.count(); i++) {
      long reference = node.reference(i);
      if (node.isLeaf()) {
        region.markUsed(reference, Records.size(region, reference));
      } else {
        markUsed(reference);
      }
    }
  }

  /** Writes a changed node; returns where it is from now on. */
  private long write(TreeNode node, long before) {
    if (before != 0 && region.isFresh(before)) {
      node.write(region, before);
      return before;
    }
    long at = region.allocate(TreeNode.BYTES);
    node.write(region, at);
    if (before != 0) {
      region.free(before, TreeNode.BYTES);
    }
    return at;
  }

  // ---- adding

  @Override
  public void add(VersionKey key, long record) {
    if (root == 0) {
      TreeNode leaf = TreeNode.leaf();
      leaf.insert(0, key, record);
      root = write(leaf, 0);
      return;
    }
    root = insert(root, key, record);
    if (madeAt != 0) {
      TreeNode above = TreeNode.inner();
      above.insert(0, TreeNode.read(region, root).key(0), root);
      above.insert(1, made.key(0), madeAt);
      root = write(above, 0);
    }
  }

  private long insert(long at, VersionKey key, long record) {
    TreeNode node = TreeNode.read(region, at);
    int entry = node.floor(key);
    if (node.isLeaf()) {
      if (entry >= 0 && node.key(entry).equals(key)) {
        throw new IllegalArgumentException("the version " + key + " is there already");
      }
      node.insert(entry + 1, key, record);
    } else {
      int child = Math.max(0, entry);
      node.setReference(child, insert(node.reference(child), key, record));
      if (madeAt != 0) {
        node.insert(child + 1, made.key(0), madeAt);
      }
    }
    madeAt = 0;
    if (node.count() > TreeNode.ENTRIES_MAX) {
      made = node.split();
      madeAt = write(made, 0);
    }
    return write(node, at);
  }

  // ---- removing

  @Override
  public void remove(VersionKey key) {
    root = root == 0 ? 0 : remove(root, key);
    TreeNode top = root == 0 ? TreeNode.inner() : TreeNode.read(region, root);
    if (root == 0) {
      throw new IllegalArgumentException("there is no version " + key);
    }
    if (top.count() == 0 || (!top.isLeaf() && top.count() == 1)) {
      region.free(root, TreeNode.BYTES);
      root = top.count() == 0 ? 0 : top.reference(0);
    }
  }

  private long remove(long at, VersionKey key) {
    TreeNode node = TreeNode.read(region, at);
    int entry = node.floor(key);
    if (node.isLeaf()) {
      if (entry < 0 || !node.key(entry).equals(key)) {
        throw new IllegalArgumentException("there is no version " + key);
      }
      node.remove(entry);
      return write(node, at);
    }
    int child = Math.max(0, entry);
    long changed = remove(node.reference(child), key);
    node.setReference(child, changed);
    TreeNode below = TreeNode.read(region, changed);
    if (below.count() < TreeNode.ENTRIES_MIN && node.count() > 1) {
      fill(node, child > 0 ? child - 1 : child);
    }
    return write(node, at);
  }

  /** Evens out two neighbours, or joins them. */
  private void fill(TreeNode parent, int left) {
    long leftAt = parent.reference(left);
    long rightAt = parent.reference(left + 1);
    TreeNode first = TreeNode.read(region, leftAt);
    TreeNode second = TreeNode.read(region, rightAt);
    if (!second.isLeaf()) {
      second.setKey(0, parent.key(left + 1)); // a first entry's own may be too large
    }
    if (first.count() + second.count() <= TreeNode.ENTRIES_MAX) {
      first.append(second);
      parent.setReference(left, write(first, leftAt));
      parent.remove(left + 1);
      region.free(rightAt, TreeNode.BYTES);
      return;
    }
    if (first.count() < second.count()) {
      first.insert(first.count(), second.key(0), second.reference(0));
      second.remove(0);
    } else {
      int last = first.count() - 1;
      second.insert(0, first.key(last), first.reference(last));
      first.remove(last);
    }
    parent.setReference(left, write(first, leftAt));
    parent.setReference(left + 1, write(second, rightAt));
    parent.setKey(left + 1, second.key(0));
  }

  // ---- finding

  @Override
  public long find(VersionKey key) {
    long found = floor(key);
    return found != 0 && Records.key(region, found).index() == key.index() ? found : 0;
  }

  @Override
  public long floor(VersionKey key) {
    long found = root == 0 ? 0 : floor(root, key);
    return found != 0 && Records.key(region, found).sameKey(key) ? found : 0;
  }

  private long floor(long at, VersionKey key) {
    TreeNode node = TreeNode.read(region, at);
    int entry = node.floor(key);
    if (node.isLeaf()) {
      return entry < 0 ? 0 : node.reference(entry);
    }
    int child = Math.max(0, entry);
    long found = floor(node.reference(child), key);
    // After removals a child may have only versions that are larger than its entry says.
    return found != 0 || child == 0 ? found : largest(node.reference(child - 1));
  }

  private long largest(long at) {
    TreeNode node = TreeNode.read(region, at);
    long last = node.reference(node.count() - 1);
    return node.isLeaf() ? last : largest(last);
  }

  @Override
  public void forEach(LongConsumer record) {
    if (root != 0) {
      forEach(root, record);
    }
  }

  private void forEach(long at, LongConsumer record) {
    TreeNode node = TreeNode.read(region, at);
    for (int i = 0; i < node.count(); i++) {
      if (node.isLeaf()) {
        record.accept(node.reference(i));
      } else {
        forEach(node.reference(i), record);
      }
    }
  }

  @Override
  public long root() {
    return root;
  }
}
