package io.pmstore.proxy.collection;

/** Receives the entries of a hash trie or a sorted tree one by one. */
@FunctionalInterface
interface EntryVisitor {
  /** Returns false to stop: at once or, in a hash trie, after the other entries of the slot. */
  boolean entry(long entry);
}
