package io.pmstore.spring.boot;

import io.pmstore.PmStore;
import io.pmstore.spring.jackson.PmStoreJackson;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures the application's {@link JsonMapper} to write persistent objects as plain objects of
 * the same class.
 */
@AutoConfiguration(
    after = PmStoreAutoConfiguration.class,
    beforeName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({JsonMapper.class, JsonMapperBuilderCustomizer.class})
@ConditionalOnBean(PmStore.class)
@EnableConfigurationProperties(PmStoreProperties.class)
public final class PmStoreJacksonAutoConfiguration {
  @Bean
  JsonMapperBuilderCustomizer pmstoreJsonMapperBuilderCustomizer(
      PmStoreProperties properties, ObjectProvider<PmStore> stores) {
    return builder -> {
      PmStore store = properties.jackson().snapshot() ? stores.getIfUnique() : null;
      if (store == null) {
        PmStoreJackson.configure(builder);
      } else if (properties.jackson().durable() == null) {
        PmStoreJackson.configure(builder, store);
      } else {
        PmStoreJackson.configure(builder, store, properties.jackson().durable());
      }
    };
  }
}
