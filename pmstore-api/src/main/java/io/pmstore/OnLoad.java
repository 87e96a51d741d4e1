package io.pmstore;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that runs when pmstore reads an object back from its store, that is, when it makes
 * the Java object that stands for it from then on. Use it to fill {@code transient} fields, since
 * no constructor runs.
 *
 * <p>The method is an instance method of any visibility, takes nothing and returns nothing. A class
 * may have several; those of a superclass run first. It runs in the thread that reads the object,
 * inside its transaction or consistent read, before any other thread can see the object; one thread
 * at a time runs such methods in each store.
 *
 * <p>It may set transient fields and read properties, also of other objects. Where objects with
 * such methods refer to each other in a cycle, one of them sees the other before its method has
 * ended. It must not write properties, make objects persistent, start or wait for other threads
 * that use the store, or do anything that must not happen twice: it runs again when its transaction
 * does, and each time that the Java object was collected and the object is read again. It does not
 * run for objects that the program itself made.
 *
 * <p>What it throws leaves the call that read the object: exceptions of pmstore as they are, any
 * other as the cause of a {@link PmStoreException} that names the method. The object can be read
 * again then, which runs the method again.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface OnLoad {}
