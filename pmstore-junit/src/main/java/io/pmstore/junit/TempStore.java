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
 * Gives a test a new store in a temporary directory: annotate a parameter of a test or life-cycle
 * method, or an instance field that is not final, of type {@link io.pmstore.PmStore} or {@link
 * TestStore}.
 *
 * <p>Each parameter and field has a store of its own. A field has its store before {@code
 * BeforeEach} methods run. After the test (and its {@code AfterEach} methods) the extension checks
 * the store, unless {@link #checked} is false or the test has failed, closes it, and deletes the
 * directory. The check fails the test if
 *
 * <ul>
 *   <li>a transaction or a snapshot is still open, on another thread for instance;
 *   <li>an object is left that nothing reaches, and a collection of garbage does not free it;
 *   <li>{@link io.pmstore.PmStore#verify} finds a fault.
 * </ul>
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.FIELD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PmStoreExtension.class)
public @interface TempStore {
  /**
   * What makes the options that the store is opened with.
   *
   * @return a class with a constructor without parameters, which may be private
   */
  Class<? extends Supplier<PmStoreOptions>> options() default DefaultOptions.class;

  /**
   * Whether {@link TestStore#kill}, {@link TestStore#crash} and {@link TestStore#crashDuring} can
   * be used. The store's files are then kept in memory a second time, with all that a power cut
   * could leave. The store has to be one of {@link io.pmstore.Storage#FILE}, {@link
   * io.pmstore.Storage#PERSISTENT_MEMORY} or {@link io.pmstore.Storage#TIERED}, and have all its
   * files in one directory.
   *
   * @return true if the store is to be crashed
   */
  boolean crashes() default false;

  /**
   * Whether the store is checked after the test.
   *
   * @return true by default
   */
  boolean checked() default true;

  /** The options of a store of {@link io.pmstore.Storage#FILE} with all defaults. */
  final class DefaultOptions implements Supplier<PmStoreOptions> {
    private DefaultOptions() {}

    @Override
    public PmStoreOptions get() {
      return PmStoreOptions.defaults().storage(io.pmstore.Storage.FILE);
    }
  }
}
