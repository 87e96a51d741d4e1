package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class whose instances a {@link PmStore} can keep.
 *
 * <p>The class is an ordinary class. The fields of a persistent object live in the store, unless
 * they are {@code transient} or marked {@link Transient}; the methods of the class use them as they
 * do in a plain object. Of an interface, each pair of a getter and a setter is a property that
 * lives in the store. {@link PmStore#create} makes a persistent object; a plain object becomes
 * persistent when the program assigns it to a persistent one. A store refuses a class that it
 * cannot keep (a final one, for instance) with a {@link ClassRefusedException} at its first use,
 * never silently.
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

  /**
   * Promises that no other class uses the fields of this class and its superclasses directly, and
   * that constructors and static methods which use fields of other objects get plain ones only.
   * pmstore looks for itself where it can: it refuses a class whose fields are not private if
   * another class of its jar, directory or module uses them, one with such a constructor or method
   * if there is a call of it, and either if it cannot list these classes. If this is true it does
   * not look, and code that uses a field of a persistent object finds what a new object has ({@code
   * 0}, {@code null}), whatever the store has.
   *
   * @return true if pmstore need not look
   */
  boolean trustFields() default false;
}
