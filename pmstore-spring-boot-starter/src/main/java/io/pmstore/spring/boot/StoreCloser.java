package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;

/**
 * Closes the application's stores after the beans that use them. Spring destroys beans in the
 * reverse of the order in which it made them, and knows only the uses that it injected itself. A
 * bean that gets a root through an {@code ObjectProvider} or {@code @Lazy} may be made before the
 * store, and write when it is destroyed. Spring makes a post-processor before ordinary beans, so it
 * destroys this one after them.
 *
 * <p>Takes over the stores that Spring would close. A store that Spring makes before this bean is
 * closed by Spring, and so is one that has its own destroy method. Safe for use by any number of
 * threads.
 */
final class StoreCloser
    implements MergedBeanDefinitionPostProcessor, PriorityOrdered, BeanNameAware, DisposableBean {
  private static final String CLOSE = "close";

  private final ConfigurableListableBeanFactory beans;
  private final Set<String> names = ConcurrentHashMap.newKeySet();
  private final Deque<PmStore> stores = new ArrayDeque<>(); // guarded by itself
  private String ownName = "";

  StoreCloser(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }

  @Override
  public void setBeanName(String name) {
    ownName = name;
  }

  /** Tells Spring not to close a store, which this class closes. */
  @Override
  public void postProcessMergedBeanDefinition(
      RootBeanDefinition definition, Class<?> type, String name) {
    if (PmStore.class.isAssignableFrom(type)
        && definition.isSingleton()
        && isClosedBySpring(definition.getDestroyMethodName())) {
      definition.setDestroyMethodName("");
      names.add(name);
    }
  }

  /** Returns true if a destroy method is the one that Spring takes if the definition has none. */
  private static boolean isClosedBySpring(@Nullable String method) {
    return method == null
        || method.equals(CLOSE)
        || method.equals(AbstractBeanDefinition.INFER_METHOD);
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (bean instanceof PmStore store && names.contains(name)) {
      synchronized (stores) {
        stores.push(store);
      }
      for (String needed : beans.getDependenciesForBean(name)) {
        // Spring destroys this bean, and so closes the store, before what the store needs.
        beans.registerDependentBean(needed, ownName);
      }
    }
    return bean;
  }

  /** Closes the stores, the last one first, each even if the others cannot be closed. */
  @Override
  public void destroy() {
    RuntimeException failed = null;
    synchronized (stores) {
      while (!stores.isEmpty()) {
        try {
          stores.pop().close();
        } catch (RuntimeException e) {
          if (failed == null) {
            failed = e;
          } else {
            failed.addSuppressed(e);
          }
        }
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
