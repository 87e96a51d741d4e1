package io.pmstore.junit;

import io.pmstore.PmStoreOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test a new store in a temporary directory. Annotate a parameter of a test or life-cycle
 * method, or an instance field that is not final, of type {@link io.pmstore.PmStore} or {@link
 * TestStore}.
 *
 * <p>Each parameter and field has a store of its own. A field has its store before {@code
 * BeforeEach} methods run, but not in {@code BeforeAll} methods: give those a parameter. After the
 * test and its {@code AfterEach} methods, the extension checks the store, closes it, and deletes
 * the directory. There is no check if {@link #checked} is false or the test has failed. The check
 * fails the test if
 *
 * <ul>
 *   <li>a transaction or a snapshot is still open after 5 seconds, on another thread for instance;
 *   <li>an object is left that nothing reaches, and a garbage collection does not free it;
 *   <li>{@link io.pmstore.PmStore#verify} finds a fault.
 * </ul>
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PmStoreExtension.class)
public @interface TempStore {
  /**
   * Returns the class that makes the options with which the store is opened.
   *
   * @return a class with a constructor without parameters, which may be private
   */
  Class<? extends Supplier<PmStoreOptions>> options() default DefaultOptions.class;

  /**
   * Returns true if the test may use {@link TestStore#kill}, {@link TestStore#crash} and {@link
   * TestStore#crashDuring}. The extension then keeps the contents of the store's files in memory
   * too, with everything that a power cut could leave of them. The storage must be {@link
   * io.pmstore.Storage#FILE}, {@link io.pmstore.Storage#PERSISTENT_MEMORY} or {@link
   * io.pmstore.Storage#TIERED}, and all files of the store must be in one directory.
   *
   * @return false by default
   */
  boolean crashes() default false;

  /**
   * Returns true if the extension checks the store after the test.
   *
   * @return true by default
   */
  boolean checked() default true;

  /** Makes the default options, with {@link io.pmstore.Storage#FILE}. */
  final class DefaultOptions implements Supplier<PmStoreOptions> {
    private DefaultOptions() {}

    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().storage(io.pmstore.Storage.FILE);
    }
  }
}
