package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Returns the root of a class as a bean. It is no singleton of Spring's: Spring would keep the
 * object of a transaction that was rolled back. The store returns the same object each time.
 */
final class StoreRootFactoryBean<T> implements FactoryBean<T> {
  private final Class<T> type;
  private final ObjectProvider<PmStore> store;

  StoreRootFactoryBean(Class<T> type, ObjectProvider<PmStore> store) {
    this.type = type;
    this.store = store;
  }

  @Override
  public T getObject() {
    return store.getObject().root(type);
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
