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
 * Compares the classes of today with a store that an earlier version of the program has written,
 * and that is kept beside the sources: the test fails before it begins if a class has changed in a
 * way that has no mapping, as {@link io.pmstore.PmStore#dryRun} and {@link
 * io.pmstore.EvolutionReport#assertCompatible} say.
 *
 * <p>On a test method or a test class nothing else is needed. On a parameter the test also gets
 *
 * <ul>
 *   <li>the {@link io.pmstore.EvolutionReport}, or
 *   <li>an open copy of the store, of type {@link io.pmstore.PmStore} or {@link TestStore}, as
 *       {@link TempStore} would give it. The kept store is never changed.
 * </ul>
 *
 * <p>{@link io.pmstore.PmStore#backup} writes a store to keep: it is small, and closed.
 */
@Documented
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PmStoreExtension.class)
public @interface GoldenStore {
  /**
   * The directory of the store.
   *
   * @return a path, relative to the working directory of the tests (the module, with Maven)
   */
  String value();

  /**
   * The classes of the program that the store has objects of. Those that they refer to are found;
   * subclasses are not.
   *
   * @return at least one class
   */
  Class<?>[] classes();

  /**
   * What makes the options, with migrations and value types.
   *
   * @return a class with a constructor without parameters, which may be private
   */
  Class<? extends Supplier<PmStoreOptions>> options() default TempStore.DefaultOptions.class;
}
