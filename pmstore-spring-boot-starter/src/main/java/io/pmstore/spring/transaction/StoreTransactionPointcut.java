package io.pmstore.spring.transaction;

import io.pmstore.Persistent;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Matches the methods that have {@link StoreTransaction}, themselves or through their class.
 * Refuses a class with a method that Spring cannot run as the annotation says.
 */
final class StoreTransactionPointcut extends StaticMethodMatcherPointcut {
  /** The types that do their work later, of libraries that the application need not have. */
  private static final Set<String> LATER =
      Set.of(
          "org.reactivestreams.Publisher",
          "kotlinx.coroutines.Job", // Deferred is one
          "kotlinx.coroutines.flow.Flow",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

  private static final String CONTINUATION = "kotlin.coroutines.Continuation";
  private static final Set<String> CALLBACKS =
      Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

  StoreTransactionPointcut() {
    setClassFilter(StoreTransactionPointcut::hasTransactions);
  }

  /**
   * Returns true if a method of a class matches. Checks all that do: Spring asks {@link #matches}
   * for methods until one matches, and never for those that a proxy cannot override.
   */
  private static boolean hasTransactions(Class<?> targetClass) {
    Class<?> type = ClassUtils.getUserClass(targetClass);
    boolean found = false;
    for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
      Method specific = ClassUtils.getMostSpecificMethod(method, type);
      if (isTransaction(method, specific, type)) {
        check(specific, type);
        found = true;
      }
    }
    return found;
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    Class<?> type = ClassUtils.getUserClass(targetClass);
    return isTransaction(method, ClassUtils.getMostSpecificMethod(method, type), type);
  }

  private static boolean isTransaction(Method method, Method specific, Class<?> type) {
    return of(specific) != null
        || of(method) != null
        || (Modifier.isPublic(specific.getModifiers())
            && !Modifier.isStatic(specific.getModifiers())
            && specific.getDeclaringClass() != Object.class
            && ofClass(specific, type) != null);
  }

  /** Returns the annotation of a method that matches; that of the method is before the class's. */
  static StoreTransaction annotation(Method method, Class<?> targetClass) {
    StoreTransaction own = of(method);
    StoreTransaction found = own == null ? ofClass(method, targetClass) : own;
    if (found == null) {
      throw new IllegalStateException(method + " has no @StoreTransaction");
    }
    return found;
  }

  private static @Nullable StoreTransaction of(Method method) {
    return AnnotatedElementUtils.findMergedAnnotation(method, StoreTransaction.class);
  }

  private static @Nullable StoreTransaction ofClass(Method method, Class<?> type) {
    StoreTransaction declaring =
        AnnotatedElementUtils.findMergedAnnotation(
            method.getDeclaringClass(), StoreTransaction.class);
    return declaring != null
        ? declaring
        : AnnotatedElementUtils.findMergedAnnotation(
            ClassUtils.getUserClass(type), StoreTransaction.class);
  }

  private static void check(Method method, Class<?> type) {
    int modifiers = method.getModifiers();
    if (PersistentObject.class.isAssignableFrom(type)
        || AnnotatedElementUtils.hasAnnotation(type, Persistent.class)) {
      throw refused(
          method,
          "it is a method of a persistent class, which is a transaction of its own if it writes",
          "remove the annotation");
    }
    if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
      throw refused(
          method, "Spring cannot see its calls, because it is private or static", "make it public");
    }
    if (Modifier.isFinal(modifiers) || Modifier.isFinal(type.getModifiers())) {
      throw refused(
          method,
          "Spring cannot see its calls, because it or its class is final",
          "remove the word final");
    }
    if (isCallback(method)) {
      throw refused(
          method,
          "Spring calls a @PostConstruct or @PreDestroy method directly, and not through the proxy"
              + " that runs transactions",
          "call PmStoreTemplate.execute in it, and remove the annotation; or make it private, if"
              + " its class has the annotation");
    }
    if (isSuspending(method)) {
      throw refused(
          method,
          "it is a suspend function, which may do its work after the transaction has ended, on"
              + " another thread",
          "call PmStoreTemplate.execute in it, with a body that does not suspend");
    }
    Class<?> returned = method.getReturnType();
    if (worksLater(returned)) {
      throw refused(
          method,
          "it returns a "
              + returned.getSimpleName()
              + ", which does its work after the method,"
              + " and so after the transaction, has ended",
          "return the values themselves");
    }
  }

  private static boolean isCallback(Method method) {
    return Arrays.stream(method.getDeclaredAnnotations())
        .anyMatch(annotation -> CALLBACKS.contains(annotation.annotationType().getName()));
  }

  private static boolean isSuspending(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    return parameters.length > 0
        && parameters[parameters.length - 1].getName().equals(CONTINUATION);
  }

  private static boolean worksLater(Class<?> type) {
    return Future.class.isAssignableFrom(type)
        || CompletionStage.class.isAssignableFrom(type)
        || Flow.Publisher.class.isAssignableFrom(type)
        || BaseStream.class.isAssignableFrom(type)
        || Callable.class.isAssignableFrom(type)
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
        || isNamed(type);
  }

  /** Returns true if a class, a superclass or an interface of it is one of {@link #LATER}. */
  private static boolean isNamed(Class<?> type) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      if (LATER.contains(c.getName())) {
        return true;
      }
    }
    return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
        .anyMatch(i -> LATER.contains(i.getName()));
  }

  private static IllegalStateException refused(Method method, String why, String remedy) {
    return new IllegalStateException(
        "@StoreTransaction has no effect on %s.%s: %s; %s"
            .formatted(method.getDeclaringClass().getName(), method.getName(), why, remedy));
  }
}
