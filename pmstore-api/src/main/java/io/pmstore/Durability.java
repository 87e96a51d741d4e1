package io.pmstore;

import java.time.Duration;
import java.util.Objects;

/**
 * When the store acknowledges a transaction, and so which acknowledged transactions a crash can
 * lose. A transaction is acknowledged when its {@code transaction(...)} call returns. A store has a
 * durability ({@link PmStoreOptions#durability}); a transaction may have another one ({@link
 * PmStore#transaction(Durability, PmStore.TransactionBody)}). Immutable.
 *
 * <table>
 * <caption>The acknowledged transactions that each kind of crash can lose</caption>
 * <tr><th></th><th>the transaction is {@link #SYNC}</th><th>the transaction is {@link #relaxed relaxed(d)}</th></tr>
 * <tr><td>the program ends without closing the store</td><td>nothing</td><td>nothing</td></tr>
 * <tr><td>the process is killed, or the JVM crashes</td><td>nothing</td><td>nothing</td></tr>
 * <tr><td>the operating system crashes</td><td>nothing</td><td>the transaction, if it was acknowledged less than {@code d} before</td></tr>
 * <tr><td>the power fails</td><td>nothing</td><td>the transaction, if it was acknowledged less than {@code d} before</td></tr>
 * <tr><td>the disk fails</td><td>what was on it: restore a backup</td><td>what was on it: restore a backup</td></tr>
 * </table>
 *
 * <p>The columns hold for each transaction, in a store of either durability; a transaction without
 * a durability of its own has the store's. A crash loses the newest transactions, in the order of
 * commits, and each one as a whole. So a relaxed transaction is durable as soon as a later {@code
 * SYNC} transaction is. On persistent memory, and in a store of {@link Storage#LLPL}, every
 * transaction is durable when it is acknowledged.
 *
 * <p>A replicated store acknowledges a transaction of either durability when a majority of the
 * nodes has it durably. A relaxed transaction that only reads does not ask the other nodes, so it
 * may see a stale state.
 *
 * <p>The bound holds if the disk takes less than half of {@code d} for a sync, and if the operating
 * system lets the store's thread run.
 */
public final class Durability {
  /**
   * The store acknowledges a transaction when it is durable: on the disk or in persistent memory.
   * The default.
   */
  public static final Durability SYNC = new Durability(Duration.ZERO);

  private final Duration bound;

  private Durability(Duration bound) {
    this.bound = bound;
  }

  /**
   * Returns a durability under which the store acknowledges transactions at once and makes them
   * durable in the background. A sync begins when half of the bound has passed since the store
   * acknowledged the oldest transaction that is not durable. While all transactions are durable
   * there is no sync.
   *
   * @param bound the longest time from the acknowledgement of a transaction until it is durable;
   *     from 1 millisecond to 1 hour
   * @return the durability
   * @throws IllegalArgumentException if the bound is out of its range
   */
  public static Durability relaxed(Duration bound) {
    if (bound.compareTo(Duration.ofMillis(1)) < 0 || bound.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "relaxed durability needs a bound of 1 ms to 1 hour, not " + bound);
    }
    return new Durability(bound);
  }

  /**
   * Returns true if the store acknowledges transactions before they are durable.
   *
   * @return true for {@link #relaxed}, false for {@link #SYNC}
   */
  public boolean isRelaxed() {
    return !bound.isZero();
  }

  /**
   * Returns the time within which an acknowledged transaction becomes durable.
   *
   * @return the bound; zero for {@link #SYNC}
   */
  public Duration bound() {
    return bound;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Durability that && bound.equals(that.bound);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bound);
  }

  @Override
  public String toString() {
    return isRelaxed() ? "relaxed(" + bound + ")" : "SYNC";
  }
}
