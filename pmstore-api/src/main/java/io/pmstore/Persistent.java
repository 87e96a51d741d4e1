package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class whose instances can be kept in a {@link PmStore}.
 *
 * <p>The class is an ordinary class with private fields, which live in the store if the object is
 * persistent, unless they are {@code transient} or marked {@link Transient}. Its methods use them
 * as they do in a plain object. Of an interface, each pair of a getter and a setter is a property
 * that lives in the store. An object becomes persistent when it is assigned to a persistent one, or
 * when it is made by {@link PmStore#create}. A class that cannot be kept (a final one, say) is
 * refused with a {@link ClassRefusedException} when it is first used, never silently.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Persistent {
  /**
   * The name of the root object of this class, used by {@link PmStore#root(Class)}. Empty, the
   * default, means the class has no root of its own.
   *
   * @return the root's name, or the empty string
   */
  String root() default "";
}
