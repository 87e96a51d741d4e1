package io.pmstore.proxy.collection;

import java.util.Arrays;

/** The path from the root of a sorted collection's tree to a key, or to where it belongs. */
final class SortedPath {
  private static final int USUAL_DEPTH = 6;

  private long[] nodes = new long[USUAL_DEPTH];
  private int[] children = new int[USUAL_DEPTH];
  private int depth;
  private long leaf;
  private int place;

  /** Adds a node, and the index of the child on the path. */
  void add(long node, int child) {
    if (depth == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * depth);
      children = Arrays.copyOf(children, 2 * depth);
    }
    nodes[depth] = node;
    children[depth++] = child;
  }

  /**
   * Ends the path at a leaf, or 0, with the key's place in it, or -1 minus the place where it
   * belongs.
   */
  void end(long leaf, int place) {
    this.leaf = leaf;
    this.place = place;
  }

  /** Returns the number of nodes above the leaf. */
  int depth() {
    return depth;
  }

  long node(int level) {
    return nodes[level];
  }

  int child(int level) {
    return children[level];
  }

  /** Returns the leaf; 0 if the tree is empty. */
  long leaf() {
    return leaf;
  }

  boolean isFound() {
    return place >= 0;
  }

  /** Returns the place of the key in the leaf, or where it belongs. */
  int place() {
    return place >= 0 ? place : -1 - place;
  }
}
