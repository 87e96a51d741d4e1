package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Confirms that properties of a class, components of a record or constants of an enum were removed
 * for good. Without this annotation the store refuses a class that lacks something stored, with a
 * {@link ClassRefusedException}, because the author may have renamed it or lost it by mistake.
 *
 * <p>The store drops the value of a removed property when the program next writes the object, or
 * when it upgrades the whole store. Until then, and in backups, the value is still there, but only
 * a program with the old class can see it.
 *
 * <pre>{@code
 * @Persistent
 * @Removed({"fax", "telex"})
 * public class Customer { ... }
 * }</pre>
 *
 * <p>Put the annotation on the class itself or on a superclass of it. For properties and
 * components, you may remove the annotation once a program that had it has used the class with
 * every remaining store, opened for writing.
 *
 * <p>Remove a constant of an enum only when no object has it any more. Its name stays reserved in
 * the store, so the annotation has to stay too. Reading an object that still has the constant
 * throws {@link ClassRefusedException}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Removed {
  /**
   * Returns what was removed.
   *
   * @return the names of properties, components or constants, in any order
   */
  String[] value();
}
