package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names what something was called before, so that pmstore reads data that was written under an old
 * name under the new one. pmstore never guesses that something was renamed: without this annotation
 * a property with a new name is a new property, and the old one is missing.
 *
 * <p>Put it on
 *
 * <ul>
 *   <li>a property's field, or its getter, or a record's component: the names of the property,
 *   <li>a {@link Persistent} class or interface, a record or an enum: its binary names, with their
 *       packages, as {@link Class#getName} gives them. The new class has to be known when objects
 *       of the old one are met: because it was given in the options, was used with the store
 *       before, or is the type of a property of such a class, or among the type's arguments,
 *   <li>a constant of an enum: the names of the constant.
 * </ul>
 *
 * <pre>{@code
 * @Persistent
 * @FormerNames("com.acme.Trade")
 * public class Order {
 *   @FormerNames({"amount", "qty"})
 *   private long quantity;
 *   ...
 * }
 * }</pre>
 *
 * <p>It may be removed when no store is left that was last opened for writing by a program without
 * the new name: the store then knows it. What was renamed to in one program can be renamed again in
 * the next; the annotation then names all names that stores may still have.
 *
 * <p>A rename that is ambiguous is refused with a {@link ClassRefusedException}: if the store has
 * both the old name and the new one, or if two properties claim the same old one.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FormerNames {
  /**
   * The names before.
   *
   * @return one or more names, in any order
   */
  String[] value();
}
