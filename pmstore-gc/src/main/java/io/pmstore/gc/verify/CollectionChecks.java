package io.pmstore.gc.verify;

import java.util.Map;

/** The checks of all kinds of collections, by the names of their shapes. */
final class CollectionChecks {
  /** Creates the check of a collection. */
  private interface Maker {
    CollectionCheck make(NodeView nodes, long collection, CollectionCheck.Faults faults);
  }

  private static final Map<String, Maker> KINDS =
      Map.of(
          "pmstore.map", TrieCheck::ofMap,
          "pmstore.concurrentmap", TrieCheck::ofMap,
          "pmstore.set", TrieCheck::ofSet,
          "pmstore.linkedmap", TrieCheck::ofLinkedMap,
          "pmstore.linkedset", TrieCheck::ofLinkedSet,
          "pmstore.list", ListCheck::new,
          "pmstore.deque", DequeCheck::new,
          "pmstore.sortedmap", SortedCheck::ofMap,
          "pmstore.sortedset", SortedCheck::ofSet);

  private CollectionChecks() {}

  /** Checks an object if it is a collection. The object must be whole. */
  static void check(String className, NodeView nodes, long object, CollectionCheck.Faults faults) {
    Maker maker = KINDS.get(className);
    if (maker != null) {
      maker.make(nodes, object, faults).check();
    }
  }
}
