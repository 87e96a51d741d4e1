package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import io.pmstore.spring.transaction.PmStoreTemplate;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Registers each root of the application's persistent classes as a bean, and a {@link
 * PmStoreTemplate}. Applies if the application has one {@link io.pmstore.PmStore} bean, or a
 * primary one; the starter or the application may define it.
 */
@AutoConfiguration(after = PmStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(PmStore.class)
@Import(StoreRootRegistrar.class)
@EnableConfigurationProperties(PmStoreProperties.class)
public final class PmStoreBeansAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  PmStoreTemplate pmStoreTemplate(PmStore store) {
    return new PmStoreTemplate(store);
  }

  @Bean
  StartOfNode pmstoreStartOfNode(PmStoreProperties properties) {
    return new StartOfNode(properties.readyTimeout());
  }
}
