package io.pmstore.proxy.collection;

import org.jspecify.annotations.Nullable;

/**
 * The rest of a walk through the entries of a hash table: a position that stays valid after any
 * change of the table. Immutable.
 */
interface Walk {
  /**
   * Visits entries until the visitor stops. Runs inside a transaction or a consistent read.
   *
   * @return the walk through the entries that were not visited; null if all were
   */
  @Nullable Walk visit(EntryVisitor visitor);
}
