package io.pmstore.spring.transaction;

import io.pmstore.Durability;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.MethodClassKey;
import org.springframework.util.ClassUtils;

/**
 * Runs the methods of beans that have {@link StoreTransaction} in transactions of a store. Safe for
 * use by any number of threads.
 */
public final class StoreTransactionAdvisor extends DefaultPointcutAdvisor {
  private static final long serialVersionUID = 1L;

  /**
   * Creates the advisor.
   *
   * @param template returns the template that runs the transactions; called when the first method
   *     is called
   */
  public StoreTransactionAdvisor(Supplier<PmStoreTemplate> template) {
    super(new StoreTransactionPointcut(), new Interceptor(template));
    setOrder(LOWEST_PRECEDENCE); // innermost: what is outside of it runs once
  }

  /** What an annotated method asks for. */
  private record Mode(boolean readOnly, @Nullable Durability durability) {}

  /** Nothing to run is left in an invocation once it has run, so each run has a copy of it. */
  private static final class Interceptor implements MethodInterceptor {
    private final Supplier<PmStoreTemplate> template;
    private final Map<MethodClassKey, Mode> modes = new ConcurrentHashMap<>();

    Interceptor(Supplier<PmStoreTemplate> template) {
      this.template = template;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Class<?> type =
          invocation.getThis() == null
              ? invocation.getMethod().getDeclaringClass()
              : invocation.getThis().getClass();
      Method method =
          ClassUtils.getMostSpecificMethod(invocation.getMethod(), ClassUtils.getUserClass(type));
      Mode mode =
          modes.computeIfAbsent(new MethodClassKey(method, type), key -> mode(method, type));
      try {
        return mode.readOnly()
            ? template.get().<@Nullable Object, Exception>read(() -> run(invocation))
            : template
                .get()
                .<@Nullable Object, Exception>execute(mode.durability(), () -> run(invocation));
      } catch (ThrownError e) {
        throw e.getCause();
      }
    }

    private static Mode mode(Method method, Class<?> type) {
      StoreTransaction annotation = StoreTransactionPointcut.annotation(method, type);
      String durability = annotation.durability();
      return new Mode(
          annotation.readOnly(), durability.isEmpty() ? null : DurabilityText.parse(durability));
    }

    private static @Nullable Object run(MethodInvocation invocation) throws Exception {
      try {
        return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
      } catch (Exception | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new ThrownError(e);
      }
    }
  }

  /**
   * Carries a {@code Throwable} that is neither an exception nor an error through a transaction.
   */
  private static final class ThrownError extends Exception {
    private static final long serialVersionUID = 1L;

    ThrownError(Throwable cause) {
      super(cause);
    }

    @Override
    public synchronized Throwable getCause() {
      return java.util.Objects.requireNonNull(super.getCause());
    }
  }
}
