package io.pmstore.junit;

import io.pmstore.PmStoreOptions;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Compares the program's classes with a store that an earlier version of the program has written
 * and that is kept beside the sources. The test fails before it begins if a class has changed in a
 * way that has no mapping, as {@link io.pmstore.PmStore#dryRun} and {@link
 * io.pmstore.EvolutionReport#assertCompatible} say.
 *
 * <p>Put the annotation on a test method or a test class. On a class, it holds for all tests of the
 * class, of its subclasses and of its {@code Nested} classes. On a parameter, the test also gets,
 * by the type of the parameter,
 *
 * <ul>
 *   <li>the {@link io.pmstore.EvolutionReport}, or
 *   <li>an open copy of the store, of type {@link io.pmstore.PmStore} or {@link TestStore}, as
 *       {@link TempStore} gives it. The kept store is never changed.
 * </ul>
 *
 * <p>Write the store to keep with {@link io.pmstore.PmStore#backup}: a backup is small, and closed.
 */
@Documented
@Inherited
@Target({ElementType.PARAMETER, ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PmStoreExtension.class)
public @interface GoldenStore {
  /**
   * Returns the directory of the kept store.
   *
   * @return a path, relative to the working directory of the tests (the module, with Maven)
   */
  String value();

  /**
   * Returns the classes of the program of which the store has objects. The classes to which they
   * refer are included; name subclasses too.
   *
   * @return at least one class
   */
  Class<?>[] classes();

  /**
   * Returns the class that makes the options, with migrations and value types.
   *
   * @return a class with a constructor without parameters, which may be private
   */
  Class<? extends Supplier<PmStoreOptions>> options() default TempStore.DefaultOptions.class;
}
