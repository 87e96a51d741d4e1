package io.pmstore.jmh.consensus.versions;

/** What finds the versions. */
public enum Structure {
  /** A persistent list with a search tree in DRAM. */
  LIST,
  /** A persistent B+ tree. */
  TREE;

  VersionIndex open(Region region) {
    long root = region.header().root();
    return this == LIST ? new VersionList(region, root) : new VersionTree(region, root);
  }
}
