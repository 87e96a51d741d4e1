package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * Closes the stores of the application, the starter's or its own, after all beans that use them.
 */
@AutoConfiguration(after = PmStoreAutoConfiguration.class)
@ConditionalOnBean(PmStore.class)
public final class PmStoreClosingAutoConfiguration {
  /** Static, so that Spring makes it before any bean of a configuration. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static StoreCloser pmstoreCloser(ConfigurableListableBeanFactory beans) {
    return new StoreCloser(beans);
  }
}
