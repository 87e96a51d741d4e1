package io.pmstore.spring.boot;

import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Opens the store that {@link PmStoreProperties} describe with the application, and closes it after
 * everything that uses it. An application that defines a {@link PmStore} bean of its own has that
 * one instead.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "pmstore.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PmStoreProperties.class)
public final class PmStoreAutoConfiguration {
  /** Called by Spring. */
  public PmStoreAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  PmStore pmStore(
      PmStoreProperties properties,
      ObjectProvider<PersistentClasses> classes,
      ObjectProvider<Migration> migrations,
      ObjectProvider<PmStoreOptionsCustomizer> customizers) {
    Path directory = properties.directory();
    if (directory == null) {
      throw new StoreDirectoryMissingException();
    }
    PmStoreOptions options = properties.options();
    for (PersistentClasses found : classes) {
      options = options.classes(found.renamed().toArray(Class<?>[]::new));
    }
    options = options.migrations(migrations.orderedStream().toArray(Migration[]::new));
    for (PmStoreOptionsCustomizer customizer : customizers.orderedStream().toList()) {
      options = customizer.customize(options);
    }
    return PmStore.open(directory, options);
  }
}
