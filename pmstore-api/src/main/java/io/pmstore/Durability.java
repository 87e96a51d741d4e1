package io.pmstore;

import java.time.Duration;
import java.util.Objects;

/**
 * What a crash can take of the transactions whose {@code transaction(...)} call has returned.
 *
 * <table>
 * <caption>What each kind of crash can take of acknowledged transactions</caption>
 * <tr><th></th><th>{@link #SYNC}</th><th>{@link #relaxed relaxed(d)}</th></tr>
 * <tr><td>the process is killed</td><td>nothing</td><td>nothing</td></tr>
 * <tr><td>the system crashes or loses power</td><td>nothing</td><td>at most the last {@code d}; what is lost is the newest,
 * and each transaction is all there or not there</td></tr>
 * </table>
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
   * Acknowledges at once and makes transactions durable in the background.
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
