package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Confirms that properties of a class, components of a record or constants of an enum are gone for
 * good. What the store has and the class has not is otherwise refused with a {@link
 * ClassRefusedException}, since it may have been renamed, or lost by mistake.
 *
 * <p>The value of a removed property goes when its object is next written, or with an upgrade of
 * the whole store. Until then, and in backups, it is still there, but only a program with the old
 * class can see it.
 *
 * <pre>{@code
 * @Persistent
 * @Removed({"fax", "telex"})
 * public class Customer { ... }
 * }</pre>
 *
 * <p>It stands on the class itself or on a superclass of it. For properties and components it may
 * be taken away when no store is left that was last opened for writing by a program from before.
 *
 * <p>A constant of an enum should be removed only when no object has it any more. Its name stays
 * reserved in the store, so the annotation has to stay too; reading an object that still has the
 * constant throws {@link ClassRefusedException}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Removed {
  /**
   * What was removed.
   *
   * @return names of properties, components or constants
   */
  String[] value();
}
