package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import io.pmstore.spring.transaction.PmStoreTemplate;
import io.pmstore.spring.transaction.StoreTransactionAdvisor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;

/**
 * Registers each root of the application's persistent classes as a bean, and runs methods with
 * {@link io.pmstore.spring.transaction.StoreTransaction} in transactions. Applies if the
 * application has one {@link io.pmstore.PmStore} bean, or a primary one; the starter or the
 * application may define it.
 */
@AutoConfiguration(after = PmStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(PmStore.class)
@Import(StoreRootRegistrar.class)
public final class PmStoreBeansAutoConfiguration {
  /** Called by Spring. */
  public PmStoreBeansAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  PmStoreTemplate pmStoreTemplate(PmStore store) {
    return new PmStoreTemplate(store);
  }

  /** An infrastructure bean, so that Spring Boot's own proxy creator applies it. */
  @Bean
  @ConditionalOnMissingBean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static StoreTransactionAdvisor storeTransactionAdvisor(ObjectProvider<PmStoreTemplate> template) {
    return new StoreTransactionAdvisor(template::getObject);
  }
}
