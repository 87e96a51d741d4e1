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
 * <p>The fields of a persistent object live in the store, unless they are {@code transient} or
 * marked {@link Transient}. The methods of the class use them as they do in a plain object. In an
 * interface, each pair of a getter and a setter is a property that lives in the store.
 *
 * <p>{@link PmStore#create} makes a persistent object. A plain object becomes persistent when the
 * program assigns it to a property of a persistent one.
 *
 * <p>If a store cannot keep a class, a final one that is not enhanced for instance, the first use
 * of the class throws {@link ClassRefusedException}. {@link PmStore#check(Class...)} reports that
 * beforehand.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Persistent {
  /**
   * Returns the name of the root object of this class, for {@link PmStore#root(Class)}. An empty
   * name, the default, means that the class has no root of its own.
   *
   * @return the name of the root, or the empty string
   */
  String root() default "";

  /**
   * Returns true if the author promises that no other class uses the fields of this class and its
   * superclasses directly, and that constructors and static methods which use fields of other
   * objects get plain objects only.
   *
   * <p>If this is false, the default, pmstore checks this. It refuses a class whose fields are not
   * private if another class of its jar, directory or module uses them. It refuses a class with
   * such a constructor or method if one of these classes calls it. It also refuses both if it
   * cannot list these classes.
   *
   * <p>If this is true, pmstore does not check. Code that breaks the promise then reads {@code 0},
   * {@code false} or {@code null} from a field of a persistent object, whatever the store has.
   *
   * @return true if pmstore need not check
   */
  boolean trustFields() default false;
}
