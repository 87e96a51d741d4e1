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
 * Opens the store that {@link PmStoreProperties} describe when the application starts. {@link
 * PmStoreClosingAutoConfiguration} closes it after all beans that use it. If the application
 * defines a {@link PmStore} bean itself, the starter opens no store.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "pmstore.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PmStoreProperties.class)
public final class PmStoreAutoConfiguration {
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  PmStore pmStore(
      PmStoreProperties properties,
      ObjectProvider<PersistentClasses> classes,
      ObjectProvider<Migration> migrations,
      ObjectProvider<PmStoreOptionsCustomizer> customizers) {
    Path directory = properties.storeDirectory();
    if (directory == null) {
      throw new StoreDirectoryMissingException();
    }
    try {
      return PmStore.open(directory, options(properties, classes, migrations, customizers));
    } catch (IllegalArgumentException e) {
      throw new StoreSettingsRefusedException(e);
    }
  }

  private static PmStoreOptions options(
      PmStoreProperties properties,
      ObjectProvider<PersistentClasses> classes,
      ObjectProvider<Migration> migrations,
      ObjectProvider<PmStoreOptionsCustomizer> customizers) {
    PmStoreOptions options = properties.options();
    for (PersistentClasses found : classes) {
      options = options.classes(found.renamed().toArray(Class<?>[]::new));
    }
    options = options.migrations(migrations.orderedStream().toArray(Migration[]::new));
    for (PmStoreOptionsCustomizer customizer : customizers.orderedStream().toList()) {
      options = customizer.customize(options);
    }
    return options;
  }
}
