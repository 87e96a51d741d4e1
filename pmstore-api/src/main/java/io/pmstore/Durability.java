package io.pmstore;

import java.time.Duration;
import java.util.Objects;

/**
 * When a transaction is acknowledged: what a crash can take of the transactions whose {@code
 * transaction(...)} call has returned. A store has one ({@link PmStoreOptions#durability}), and a
 * transaction may have another ({@link PmStore#transaction(Durability, PmStore.TransactionBody)}).
 *
 * <table>
 * <caption>What each kind of crash can take of acknowledged transactions</caption>
 * <tr><th></th><th>the transaction is {@link #SYNC}</th><th>the transaction is {@link #relaxed relaxed(d)}</th></tr>
 * <tr><td>the program ends without closing the store</td><td>nothing</td><td>nothing</td></tr>
 * <tr><td>the process is killed, or the JVM crashes</td><td>nothing</td><td>nothing</td></tr>
 * <tr><td>the operating system crashes</td><td>nothing</td><td>it, if acknowledged less than {@code d} before</td></tr>
 * <tr><td>the power fails</td><td>nothing</td><td>it, if acknowledged less than {@code d} before</td></tr>
 * <tr><td>the disk fails</td><td>what was on it: restore a backup</td><td>what was on it: restore a backup</td></tr>
 * </table>
 *
 * <p>The columns hold for each transaction, in a store of either durability: one without a
 * durability of its own has the store's. Whatever a crash takes is the newest, in the order of
 * commits, and each transaction is all there or not there. So a {@code SYNC} transaction that is
 * there is there with all that was committed before it, relaxed transactions too; and a relaxed one
 * is durable as soon as a later {@code SYNC} one is. On persistent memory, and in an LLPL store,
 * every transaction is durable when it is acknowledged.
 *
 * <p>The bound assumes that the disk takes less than half of {@code d} for a sync, and that the
 * machine lets the store's thread run.
 */
public final class Durability {
  /**
   * A transaction is acknowledged when it is on the disk (or in persistent memory). The default.
   */
  public static final Durability SYNC = new Durability(Duration.ZERO);

  private final Duration bound;

  private Durability(Duration bound) {
    this.bound = bound;
  }

  /**
   * Acknowledges at once and makes transactions durable in the background: a sync begins when half
   * of the bound is over since the first one that is not durable was acknowledged, and none while
   * all are.
   *
   * @param bound how old an acknowledged transaction can get before it is durable; 1 ms to 1 hour
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
   * Says whether transactions are acknowledged before they are durable.
   *
   * @return true for {@link #relaxed}, false for {@link #SYNC}
   */
  public boolean isRelaxed() {
    return !bound.isZero();
  }

  /**
   * The time within which an acknowledged transaction becomes durable.
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
