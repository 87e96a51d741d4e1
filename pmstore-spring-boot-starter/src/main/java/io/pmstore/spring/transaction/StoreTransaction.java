package io.pmstore.spring.transaction;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a Spring bean as one transaction of the store.
 *
 * <p><b>The method may run more than once.</b> A transaction that conflicts with another thread's
 * runs its body again, as {@link io.pmstore.PmStore#transaction} says. What the method does besides
 * reading and writing persistent objects (sending a mail, calling another service, changing a field
 * of the bean) happens in every run. Give such actions to {@link PmStoreTemplate#afterCommit}.
 *
 * <p>If the method throws, checked exceptions included, the transaction is rolled back and the
 * caller gets the exception. A method that is called inside a transaction joins it; if an exception
 * then leaves the method, the outer transaction is rolled back too. When the outermost method
 * returns, its writes are durable as {@link #durability()} says.
 *
 * <p>As with other annotations of Spring, the annotation has an effect on calls from outside the
 * bean only: a method that calls another method of its own object calls it directly.
 *
 * <p>Spring cannot run some methods as transactions: a private, final or static method, a {@code
 * PostConstruct} or {@code PreDestroy} method, a method of a persistent class, a suspend function
 * of Kotlin, and a method that returns what does its work later: a future, a {@code
 * CompletionStage}, a {@code Callable}, a stream, a reactive type that Spring knows, or one of
 * Spring MVC's {@code DeferredResult}, {@code WebAsyncTask} and {@code StreamingResponseBody}. For
 * such a method, the creation of the bean fails with {@link IllegalStateException}.
 *
 * <p>On a class, the annotation holds for all public methods of the class and its subclasses.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface StoreTransaction {
  /**
   * Returns true if the method only reads. It then runs once, in a {@linkplain
   * io.pmstore.PmStore#snapshot snapshot}: it sees one state of the store and makes no writer wait,
   * and a write throws {@link IllegalStateException}. Inside a transaction the method runs as a
   * part of that transaction.
   *
   * @return true for a method that only reads
   */
  boolean readOnly() default false;

  /**
   * Returns the durability of the transaction: {@code sync}, or the bound of {@link
   * io.pmstore.Durability#relaxed}, such as {@code 100ms}. Empty, the default, means the store's
   * own durability.
   *
   * @return the durability, in the syntax of the property {@code pmstore.durability}
   */
  String durability() default "";
}
