package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that runs when pmstore reads an object back from its store and makes the Java
 * object for it. Use it to fill {@code transient} fields, because no constructor runs.
 *
 * <p>The method must be an instance method without parameters and without a result; it may have any
 * visibility. A class may have several such methods; those of a superclass run first. The method
 * runs in the thread that reads the object, as a part of that read and of its transaction or
 * snapshot if there is one, before any other thread can see the object. In each store, one thread
 * at a time runs such methods.
 *
 * <p>The method may set transient fields and read properties, also those of other objects. If
 * objects with such methods refer to each other in a cycle, one of them sees the other before the
 * method of the other has ended.
 *
 * <p>The method must not write properties, make objects persistent, or start or wait for other
 * threads that use the store. It must not do anything that must not happen twice: the method runs
 * again when its transaction runs again, and each time that Java has collected the Java object and
 * the program reads the object again. It does not run for objects that the program itself made.
 *
 * <p>If the method throws an exception of pmstore, the call that read the object throws it too. If
 * the method throws another exception, that call throws a {@link PmStoreException} that names the
 * method and has the exception as its cause. The program can then read the object again, which runs
 * the method again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnLoad {}
