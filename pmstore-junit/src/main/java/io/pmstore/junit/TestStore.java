package io.pmstore.junit;

import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The store of a test, with what a test does to a store. {@link TempStore} makes it.
 *
 * <p>After {@link #reopen} and {@link #kill} objects and collections that the test got before throw
 * {@link io.pmstore.StoreClosedException}: get them from a root again.
 */
public interface TestStore extends PmStore {
  /**
   * Returns where the store is.
   *
   * @return its directory, which the extension deletes after the test
   */
  Path directory();

  /** Closes the store and opens it again, as the next run of a program would. */
  void reopen();

  /**
   * Ends the store as a kill of its process would ({@code kill -9}), and opens it again: what was
   * acknowledged is there, and nothing of a transaction that was not committed. The store has to
   * have {@link TempStore#crashes}.
   *
   * @throws IllegalStateException inside a transaction or snapshot
   */
  void kill();

  /**
   * Opens what a kill and what power cuts could leave of the store at this moment, one after the
   * other, and has each checked. The store itself goes on as if nothing had happened.
   *
   * @param check gets each image
   * @throws AssertionError if a check fails, an image cannot be opened, or is not sound; the
   *     message has the seed, which {@code -Dpmstore.seed} replays
   */
  void crash(ImageCheck check);

  /**
   * Runs an action, cuts the power in the middle of it many times, and has each image checked
   * against what was promised at that time. The store goes on, with the whole effect of the action.
   *
   * <p>Images are drawn at moments of the action at which a file changes or becomes durable, and
   * opened when it has ended. {@code -Dpmstore.crash.images} says how many at most, 40 by default.
   *
   * @param <T> what is promised
   * @param action commits transactions
   * @param promised returns what was acknowledged until now: called during the action, by any
   *     thread, in the middle of a commit. So it must not use the store: a call of the store fails
   *     the test, and reading one of its objects may never return. What it returns does not change
   *     later
   * @param check compares an image with it
   * @throws Exception what the action threw
   * @throws AssertionError as for {@link #crash}; also if {@code promised} fails
   */
  <T> void crashDuring(Action action, Supplier<T> promised, PromiseCheck<T> check) throws Exception;

  /** What a test does while the power is cut. */
  @FunctionalInterface
  interface Action {
    /**
     * Does it.
     *
     * @throws Exception if the test fails
     */
    void run() throws Exception;
  }

  /** Checks what a crash could leave. */
  @FunctionalInterface
  interface ImageCheck {
    /**
     * Checks an image.
     *
     * @param image an open store, recovered as after a real crash; closed by the caller
     * @throws Exception if the test fails
     */
    void check(PmStore image) throws Exception;
  }

  /**
   * Compares what a crash could leave with what was promised.
   *
   * @param <T> what is promised
   */
  @FunctionalInterface
  interface PromiseCheck<T> {
    /**
     * Checks an image.
     *
     * @param image an open store, recovered as after a real crash; closed by the caller
     * @param promised at the moment of the crash
     * @throws Exception if the test fails
     */
    void check(PmStore image, T promised) throws Exception;
  }
}
