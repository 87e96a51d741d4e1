package io.pmstore.junit;

import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * The store of a test, which the test can also reopen, kill and crash. {@link TempStore} makes it.
 *
 * <p>After {@link #reopen} and {@link #kill}, objects and collections that the test got before
 * throw {@link io.pmstore.StoreClosedException}: get them from a root again. Call the methods that
 * this interface adds from one thread at a time.
 */
public interface TestStore extends PmStore {
  /**
   * Returns the directory of the store.
   *
   * @return the directory, which the extension deletes after the test
   */
  Path directory();

  /**
   * Closes the store and opens it again, as the next run of a program would.
   *
   * @throws IllegalStateException inside a transaction or snapshot
   * @throws io.pmstore.PmStoreException if the store cannot be closed or opened
   */
  void reopen();

  /**
   * Ends the store as a kill of its process would ({@code kill -9}), and opens it again. The store
   * then has every acknowledged transaction, and nothing of a transaction that was not committed.
   *
   * @throws IllegalStateException inside a transaction or snapshot, or if {@link TempStore#crashes}
   *     is false
   */
  void kill();

  /**
   * Checks what a kill and what power cuts could leave of the store at this moment. This method
   * opens these images one after the other and calls {@code check} with each. The store itself is
   * not changed.
   *
   * @param check checks an image
   * @throws IllegalStateException if {@link TempStore#crashes} is false
   * @throws AssertionError if a check fails, or an image cannot be opened or is not sound. The
   *     message has the seed; {@code -Dpmstore.seed} repeats the same choices
   */
  void crash(ImageCheck check);

  /**
   * Checks what power cuts in the middle of an action could leave of the store. This method runs
   * the action and draws images at moments at which a file changes or becomes durable. When the
   * action has ended, it opens the images one after the other and calls {@code check} with each,
   * and with what was promised at that moment. The store itself keeps the whole effect of the
   * action.
   *
   * <p>The system property {@code pmstore.crash.images} is the largest number of images; the
   * default is 40, the smallest value 2.
   *
   * @param <T> the type of what is promised
   * @param action commits transactions of this store
   * @param promised returns what was acknowledged until now. Any thread may call it during the
   *     action, in the middle of a commit. So it must not use the store: a call of the store fails
   *     the test, and reading one of its objects may never return. Its result must not change later
   * @param check compares an image with what was promised
   * @throws Exception what the action threw
   * @throws IllegalStateException if {@link TempStore#crashes} is false
   * @throws AssertionError as for {@link #crash}; also if {@code promised} throws, or the action
   *     changes no file
   */
  <T> void crashDuring(Action action, Supplier<T> promised, PromiseCheck<T> check) throws Exception;

  /** The action of a test during which the power is cut. */
  @FunctionalInterface
  interface Action {
    /**
     * Runs the action.
     *
     * @throws Exception if the test fails
     */
    void run() throws Exception;
  }

  /** Checks what a crash could leave of a store. */
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
   * Compares what a crash could leave of a store with what was promised.
   *
   * @param <T> the type of what is promised
   */
  @FunctionalInterface
  interface PromiseCheck<T> {
    /**
     * Checks an image.
     *
     * @param image an open store, recovered as after a real crash; closed by the caller
     * @param promised what was promised at the moment of the crash
     * @throws Exception if the test fails
     */
    void check(PmStore image, T promised) throws Exception;
  }
}
