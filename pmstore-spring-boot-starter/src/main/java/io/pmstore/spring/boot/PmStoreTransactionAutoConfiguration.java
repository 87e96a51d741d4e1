package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import io.pmstore.spring.transaction.PmStoreTemplate;
import io.pmstore.spring.transaction.StoreTransactionAdvisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Runs methods with {@link io.pmstore.spring.transaction.StoreTransaction} in transactions, in each
 * application that has a store: no such method runs without one.
 */
@AutoConfiguration(after = PmStoreAutoConfiguration.class)
@ConditionalOnBean(PmStore.class)
@Import(PmStoreTransactionAutoConfiguration.ProxyCreator.class)
public final class PmStoreTransactionAutoConfiguration {
  /** An infrastructure bean, so that Spring's proxy creator applies it. */
  @Bean
  @ConditionalOnMissingBean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static StoreTransactionAdvisor storeTransactionAdvisor(
      ObjectProvider<PmStoreTemplate> templates) {
    return new StoreTransactionAdvisor(() -> only(templates));
  }

  private static PmStoreTemplate only(ObjectProvider<PmStoreTemplate> templates) {
    PmStoreTemplate template = templates.getIfUnique();
    if (template == null) {
      throw new IllegalStateException(
          "@StoreTransaction does not know which store its transactions are of: the application has"
              + " several, and none is primary; put @Primary on one bean of type PmStore, or of"
              + " type PmStoreTemplate");
    }
    return template;
  }

  /**
   * Registers what wraps beans in proxies, as Spring's annotations for transactions and caches do:
   * {@code spring.aop.auto=false} turns aspects off, not transactions.
   */
  static final class ProxyCreator implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    /** Called by Spring. */
    ProxyCreator(Environment environment) {
      this.environment = environment;
    }

    @Override
    public void registerBeanDefinitions(
        AnnotationMetadata importing, BeanDefinitionRegistry registry) {
      AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
      if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
        AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
      }
    }
  }
}
