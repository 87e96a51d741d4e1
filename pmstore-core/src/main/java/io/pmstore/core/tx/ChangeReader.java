package io.pmstore.core.tx;

/**
 * Reads the change set of a transaction that commits, object by object. Each reader goes through it
 * once, in the order that {@link Transaction} states.
 */
interface ChangeReader {
  /**
   * Takes an object that the transaction has made: all of its words are new.
   *
   * @param object its number in the change set
   */
  default void made(ChangeSet changes, int object) {}

  /**
   * Takes an older object that the transaction has written to.
   *
   * @param object its number in the change set. {@link ChangeSet#nextDirtyWord} finds the written
   *     words, and {@link ChangeSet#getLong} has them as they will be; the heap has them as they
   *     were
   */
  default void changed(ChangeSet changes, int object) {}
}
