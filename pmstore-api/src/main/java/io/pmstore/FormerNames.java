package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the former names of a class, a property or a constant, so that pmstore reads data that was
 * written under a former name. pmstore never guesses that something was renamed: without this
 * annotation a property with a new name is a new property, and the old one is missing.
 *
 * <p>Put the annotation on
 *
 * <ul>
 *   <li>a property's field, or its getter, or a record's component, with the former names of the
 *       property,
 *   <li>a {@link Persistent} class or interface, a record or an enum, with its former binary names,
 *       packages included, as {@link Class#getName} returns them. The store must know the new class
 *       before it reads an object of the old one. It knows a class that {@link
 *       PmStoreOptions#classes} names, a class that the program has used with the store, and the
 *       classes that the property types and type arguments of these classes name,
 *   <li>a constant of an enum, with the former names of the constant.
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
 * <p>You may remove the annotation once a program that had it has used the class with every
 * remaining store, opened for writing: every store then knows the new name. If something is renamed
 * more than once, the annotation must have all names that stores may still have.
 *
 * <p>The store refuses an ambiguous rename with a {@link ClassRefusedException}: if it has both the
 * former and the new name, or if two properties have the same former name.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.FIELD, ElementType.METHOD, ElementType.RECORD_COMPONENT})
public @interface FormerNames {
  /**
   * Returns the former names.
   *
   * @return one or more names, in any order
   */
  String[] value();
}
