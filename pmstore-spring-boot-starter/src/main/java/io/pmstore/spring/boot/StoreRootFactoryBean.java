package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Returns the root of a class as a bean. It is no singleton of Spring's: Spring would keep the
 * object of a transaction that was rolled back. The store returns the same object each time. On a
 * node of a replicated store, {@link StartOfNode} may wait for it.
 */
final class StoreRootFactoryBean<T> implements FactoryBean<T> {
  private final Class<T> type;
  private final ObjectProvider<PmStore> store;
  private final StartOfNode start;

  StoreRootFactoryBean(Class<T> type, ObjectProvider<PmStore> store, StartOfNode start) {
    this.type = type;
    this.store = store;
    this.start = start;
  }

  @Override
  public T getObject() {
    return start.root(store.getObject(), type);
  }

  @Override
  public Class<?> getObjectType() {
    return type;
  }

  @Override
  public boolean isSingleton() {
    return false;
  }
}
