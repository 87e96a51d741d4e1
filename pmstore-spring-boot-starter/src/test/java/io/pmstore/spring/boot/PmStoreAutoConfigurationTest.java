package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreLockedException;
import io.pmstore.spring.renamed.Colour;
import io.pmstore.spring.renamed.Place;
import io.pmstore.spring.transaction.PmStoreTemplate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** What an application has whose only word about the store is its directory. */
class PmStoreAutoConfigurationTest {
  private static final AutoConfigurations STORE =
      AutoConfigurations.of(
          PmStoreAutoConfiguration.class,
          PmStoreBeansAutoConfiguration.class,
          PmStoreClosingAutoConfiguration.class);

  @TempDir Path temp;
  private Path directory;
  private ApplicationContextRunner application;

  @BeforeEach
  void describe() {
    directory = temp.resolve("store");
    application =
        new ApplicationContextRunner()
            .withConfiguration(STORE)
            .withUserConfiguration(Application.class)
            .withPropertyValues("pmstore.directory=" + directory);
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class Application {
    @Bean
    Desk desk() {
      return new Desk();
    }
  }

  static class Desk {
    @Autowired Clinic clinic;
  }

  @Test
  void rootsAreInjectedAndKept() {
    application.run(
        context -> {
          Clinic clinic = context.getBean(Desk.class).clinic;
          assertThat(clinic).isSameAs(context.getBean(PmStore.class).root(Clinic.class));
          clinic.getVisits().put("Rex", 3);
        });
    application.run(
        context ->
            assertThat(context.getBean(Desk.class).clinic.getVisits()).containsEntry("Rex", 3));
  }

  @Test
  void storeIsClosedWithTheContext() {
    PmStore[] store = new PmStore[1];
    application.run(context -> store[0] = context.getBean(PmStore.class));
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> store[0].newMap()))
        .isInstanceOf(StoreClosedException.class);
    PmStore.open(directory).close(); // nobody has it locked
  }

  /** Another bean may write while it is destroyed, so the store is still open then. */
  @Test
  void storeIsClosedAfterWhatUsesIt() {
    application
        .withUserConfiguration(WritesAtTheEnd.class)
        .run(context -> assertThat(context).hasNotFailed());
    try (PmStore store = PmStore.open(directory)) {
      assertThat(store.root(Clinic.class).getVisits()).containsEntry("last", 1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WritesAtTheEnd {
    @Bean
    AutoCloseable lastWords(Clinic clinic) {
      return () -> clinic.getVisits().put("last", 1);
    }
  }

  /** Spring does not know what these beans use, and makes them before the store. */
  @Test
  void storeIsClosedAfterWhatGetsItLater() {
    for (Class<?> writer : List.of(WritesAtTheEndByProvider.class, WritesAtTheEndLazily.class)) {
      directory = temp.resolve(writer.getSimpleName());
      new ApplicationContextRunner()
          .withConfiguration(STORE)
          .withUserConfiguration(writer)
          .withPropertyValues(
              "pmstore.directory=" + directory, "pmstore.packages=io.pmstore.spring.boot")
          .run(context -> assertThat(context).hasNotFailed());
      try (PmStore store = PmStore.open(directory)) {
        assertThat(store.root(Clinic.class).getVisits())
            .as(writer.getSimpleName())
            .containsEntry("last", 1);
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WritesAtTheEndByProvider {
    @Bean
    AutoCloseable lastWords(ObjectProvider<Clinic> clinic) {
      return () -> clinic.getObject().getVisits().put("last", 1);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WritesAtTheEndLazily {
    @Bean
    AutoCloseable lastWords(@Lazy Clinic clinic) {
      return () -> clinic.getVisits().put("last", 1);
    }
  }

  @Test
  void storeOfTheApplicationIsClosedAfterWhatGetsItLater() {
    new ApplicationContextRunner()
        .withConfiguration(STORE)
        .withUserConfiguration(WritesAtTheEndByProvider.class)
        .withBean("own", PmStore.class, () -> PmStore.open(directory))
        .withPropertyValues("pmstore.packages=io.pmstore.spring.boot")
        .run(context -> assertThat(context).hasNotFailed());
    try (PmStore store = PmStore.open(directory)) {
      assertThat(store.root(Clinic.class).getVisits()).containsEntry("last", 1);
    }
  }

  @Test
  void storeOfTheApplicationIsClosedBeforeWhatItNeeds() {
    Needed needed = new Needed(directory);
    application
        .withBean(Needed.class, () -> needed)
        .withUserConfiguration(OwnStore.class)
        .run(context -> assertThat(context).hasNotFailed());
    assertThat(needed.isClosed).isTrue();
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnStore {
    @Bean
    PmStore own(Needed needed) {
      return PmStore.open(needed.directory);
    }
  }

  /** Opens the store when Spring destroys it, so the application must have closed the store. */
  static final class Needed implements AutoCloseable {
    private final Path directory;
    private boolean isClosed;

    Needed(Path directory) {
      this.directory = directory;
    }

    @Override
    public void close() {
      PmStore.open(directory).close();
      isClosed = true;
    }
  }

  @Test
  void storeIsClosedIfTheApplicationDoesNotStart() {
    application
        .withBean(
            "refuses",
            Object.class,
            () -> {
              throw new IllegalStateException("no");
            },
            definition -> definition.setDependsOn("pmStore"))
        .run(context -> assertThat(context).hasFailed());
    PmStore.open(directory).close(); // nobody has it locked
  }

  /** The application may have Spring not close its own store. */
  @Test
  void storeThatSpringMustNotCloseStaysOpen() {
    try (PmStore own = PmStore.open(temp.resolve("own"))) {
      application
          .withBean(PmStore.class, () -> own, definition -> definition.setDestroyMethodName(""))
          .run(context -> assertThat(context).hasNotFailed());
      assertThat(own.root(Clinic.class).getVisits()).isEmpty();
    }
  }

  @Test
  void rootIsNotMadeUnlessItIsUsed() {
    new ApplicationContextRunner()
        .withConfiguration(STORE)
        .withPropertyValues(
            "pmstore.directory=" + directory, "pmstore.packages=io.pmstore.spring.boot")
        .run(
            context ->
                assertThat(context.getBeanFactory().containsBeanDefinition("pmstoreRoot.clinic"))
                    .isTrue());
    new ApplicationContextRunner()
        .withConfiguration(STORE)
        .withPropertyValues(
            "pmstore.directory=" + directory,
            "pmstore.packages=io.pmstore.spring.boot",
            "pmstore.read-only=true")
        .run(
            context ->
                assertThat(
                        org.assertj.core.api.Assertions.catchThrowable(
                            () -> context.getBean(Clinic.class)))
                    .hasRootCauseInstanceOf(io.pmstore.StoreReadOnlyException.class));
  }

  @Test
  void beanOfTheApplicationGoesBeforeTheRoot() {
    application
        .withBean("mine", Clinic.class, Clinic::new)
        .run(
            context ->
                assertThat(context.getBean(Desk.class).clinic)
                    .isSameAs(context.getBean("mine"))
                    .isExactlyInstanceOf(Clinic.class));
  }

  @Test
  void storeOfTheApplicationIsUsed() {
    try (PmStore own = PmStore.open(temp.resolve("own"))) {
      application
          .withBean(PmStore.class, () -> own)
          .run(
              context -> {
                assertThat(context.getBean(PmStoreTemplate.class).store()).isSameAs(own);
                assertThat(context.getBean(Clinic.class)).isSameAs(own.root(Clinic.class));
                assertThat(directory).doesNotExist();
              });
    }
  }

  @Test
  void propertiesBecomeOptions() {
    PmStoreOptions[] seen = new PmStoreOptions[1];
    application
        .withPropertyValues(
            "pmstore.storage=tiered",
            "pmstore.durability=50ms",
            "pmstore.writes-outside-transactions=false",
            "pmstore.log-segment-size=2MB",
            "pmstore.llpl-pool-size=64MB",
            "pmstore.group-access=none",
            "pmstore.gc.in-background=false",
            "pmstore.gc.before-opening=true",
            "pmstore.tiered.pool-size=4MB",
            "pmstore.tiered.pool-directory=" + temp.resolve("pools"),
            "pmstore.tiered.pool-storage=file",
            "pmstore.tiered.spill-directory=" + temp.resolve("spills"))
        .withBean(PmStoreOptionsCustomizer.class, () -> options -> seen[0] = options)
        .run(context -> assertThat(context).hasNotFailed());
    PmStoreOptions options = seen[0];
    assertThat(options.storage()).isEqualTo(Storage.TIERED);
    assertThat(options.durability()).isEqualTo(Durability.relaxed(java.time.Duration.ofMillis(50)));
    assertThat(options.writesOutsideTransactions()).isFalse();
    assertThat(options.logSegmentSize()).isEqualTo(2 << 20);
    assertThat(options.llplPoolSize()).isEqualTo(64 << 20);
    assertThat(options.gcInBackground()).isFalse();
    assertThat(options.gcBeforeOpening()).isTrue();
    assertThat(options.tieredPoolSize()).isEqualTo(4 << 20);
    assertThat(options.tieredPoolStorage()).isEqualTo(Storage.FILE);
    assertThat(temp.resolve("pools")).isNotEmptyDirectory();
    assertThat(options.tieredSpillDirectory()).contains(temp.resolve("spills"));
  }

  @Test
  void withoutPropertiesTheDefaultsStay() {
    PmStoreOptions[] seen = new PmStoreOptions[1];
    application
        .withBean(PmStoreOptionsCustomizer.class, () -> options -> seen[0] = options)
        .run(context -> assertThat(context).hasNotFailed());
    assertThat(seen[0]).hasToString(PmStoreOptions.defaults().toString());
  }

  /** Spring Boot's analysis of this exception says where the property was set. */
  @Test
  void valuesThatTheOptionsRefuseAreExplained() {
    assertRefused("pmstore.durability", "fast", "from 1ms to 1h, such as \"100ms\"; not \"fast\"");
    assertRefused("pmstore.durability", "2h", "from 1ms to 1h, such as \"100ms\"; not \"2h\"");
    assertRefused("pmstore.log-segment-size", "1B", "1");
    assertRefused("pmstore.tiered.pool-size", "1B", "1");
  }

  private void assertRefused(String property, String value, String reason) {
    application
        .withPropertyValues(property + "=" + value)
        .run(
            context -> {
              Throwable refused = context.getStartupFailure();
              while (refused != null
                  && !(refused instanceof InvalidConfigurationPropertyValueException)) {
                refused = refused.getCause();
              }
              assertThat(refused).isNotNull();
              assertThat(refused).hasMessageContaining(property).hasMessageContaining(reason);
            });
  }

  /** The class path has a directory io/pmstore, which is not the one that is meant. */
  @Test
  void directoryIsNotLookedForOnTheClassPath() {
    assertThat(described("io/pmstore").storeDirectory()).isEqualTo(Path.of("io/pmstore"));
    assertThat(described("file:" + directory).storeDirectory()).isEqualTo(directory);
    assertThat(described(" ").storeDirectory()).isNull();
    for (String pools : List.of("pool-directory", "spill-directory")) {
      assertThat(bound(Map.of("pmstore.tiered." + pools, "io/pmstore")).options().toString())
          .doesNotContain("test-classes");
    }
    assertRefused(
        "pmstore.directory", "http://localhost/store", "expected the path of a directory");
  }

  private static PmStoreProperties described(String directory) {
    return bound(Map.of("pmstore.directory", directory));
  }

  private static PmStoreProperties bound(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bind("pmstore", PmStoreProperties.class)
        .get();
  }

  @Test
  void renamedEnumsAndRecordsAreFound() {
    PmStoreOptions[] seen = new PmStoreOptions[1];
    application
        .withPropertyValues("pmstore.packages=io.pmstore.spring.renamed")
        .withBean(PmStoreOptionsCustomizer.class, () -> options -> seen[0] = options)
        .run(context -> assertThat(context).hasNotFailed());
    assertThat(seen[0].classes()).contains(Colour.class, Place.class);
  }

  @Test
  void rootOfTwoClassesIsRefused() {
    application
        .withPropertyValues("pmstore.packages=io.pmstore.spring.twice")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("both have the root \"twice\"")
                    .hasStackTraceContaining("io.pmstore.spring.twice.One")
                    .hasStackTraceContaining("io.pmstore.spring.twice.Two"));
  }

  @Test
  void settingsWithoutAnEngineAreRefused() {
    application
        .withPropertyValues("pmstore.engine.settings.id=a")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("pmstore.engine.name"));
  }

  @Test
  void unknownEngineIsRefused() {
    application
        .withPropertyValues("pmstore.engine.name=steam", "pmstore.engine.settings.id=a")
        .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("steam"));
  }

  @Test
  void disabledOpensNothing() {
    application
        .withPropertyValues("pmstore.enabled=false")
        .withBean("mine", Clinic.class, Clinic::new)
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(PmStore.class);
              assertThat(directory).doesNotExist();
            });
  }

  @Test
  void missingDirectoryIsExplained() {
    new ApplicationContextRunner()
        .withConfiguration(STORE)
        .run(
            context -> {
              FailureAnalysis analysis =
                  new StoreFailureAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis.getDescription()).contains("pmstore.directory is not set");
              assertThat(analysis.getAction()).contains("pmstore.enabled=false");
            });
  }

  @Test
  void lockedStoreIsExplained() {
    try (PmStore other = PmStore.open(directory)) {
      assertThat(other.inTransaction()).isFalse();
      application.run(
          context -> {
            assertThat(context.getStartupFailure())
                .hasRootCauseInstanceOf(StoreLockedException.class);
            assertThat(new StoreFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
                .contains("in another process, or in another application context of this one")
                .contains("target/stores/${random.uuid}");
          });
    }
  }

  @Test
  void foreignDirectoryIsExplained() throws Exception {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("notes.txt"), "not a store");
    application.run(
        context ->
            assertThat(new StoreFailureAnalyzer().analyze(context.getStartupFailure()).getAction())
                .contains("or an empty one"));
  }
}
