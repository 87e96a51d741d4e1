package io.pmstore.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.ReadConsistency;
import io.pmstore.ReplicationStatus.Role;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose store is a node of a replicated one, named by properties only. */
@Timeout(180)
class PmStoreReplicationTest {
  private static final List<String> IDS = List.of("a", "b", "c");

  @TempDir Path temp;

  /** Takes the root where Spring makes the beans, as a controller does. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class Application {
    @Bean
    Desk desk(Clinic clinic) {
      return new Desk(clinic);
    }
  }

  record Desk(Clinic clinic) {}

  /** Looks for the root when it is used. */
  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class Lazy {
    @Bean
    LazyDesk desk(ObjectProvider<Clinic> clinic) {
      return new LazyDesk(clinic);
    }
  }

  record LazyDesk(ObjectProvider<Clinic> clinic) {}

  private ApplicationContextRunner application(Class<?> configuration, String id, String members) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                PmStoreAutoConfiguration.class, PmStoreBeansAutoConfiguration.class))
        .withUserConfiguration(configuration)
        .withPropertyValues(
            "pmstore.directory=" + temp.resolve(id),
            "pmstore.engine.name=raft",
            "pmstore.engine.settings.id=" + id,
            "pmstore.engine.settings.members=" + members);
  }

  private static String members(String... ids) throws Exception {
    List<String> members = new ArrayList<>();
    List<ServerSocket> drawn = new ArrayList<>();
    while (members.size() < ids.length) {
      int port = ThreadLocalRandom.current().nextInt(5_000, 10_000); // none of pmstore-raft's tests
      try {
        drawn.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
      } catch (BindException e) {
        continue; // it is in use
      }
      members.add(ids[members.size()] + "=127.0.0.1:" + port);
    }
    for (ServerSocket each : drawn) {
      each.close();
    }
    return String.join(",", members);
  }

  private static int visits(PmStore store, ReadConsistency consistency) {
    return store.<Integer, RuntimeException>snapshot(
        consistency, () -> store.root(Clinic.class).getVisits().getOrDefault("Rex", 0));
  }

  @Test
  void theOnlyNodeStartsTheFirstTimeAndAgain() throws Exception {
    ApplicationContextRunner application = application(Application.class, "a", members("a"));
    for (int run = 1; run <= 2; run++) {
      int times = run;
      application.run(
          context -> {
            assertThat(context).hasNotFailed();
            Clinic clinic = context.getBean(Desk.class).clinic();
            assertThat(clinic.getVisits().getOrDefault("Rex", 0)).isEqualTo(times - 1);
            clinic.getVisits().put("Rex", times); // the start has waited until this node leads
          });
    }
  }

  @Test
  void theLeaderMakesTheRootAndTheOthersWaitForIt() throws Exception {
    String members = members("a", "b", "c");
    ConcurrentHashMap<Role, Integer> roles = new ConcurrentHashMap<>();
    CyclicBarrier allTogether = new CyclicBarrier(IDS.size());
    try (ExecutorService machines = Executors.newCachedThreadPool()) {
      List<Future<?>> nodes = new ArrayList<>();
      for (String id : IDS) {
        nodes.add(machines.submit(() -> runNode(id, members, roles, allTogether)));
      }
      for (Future<?> each : nodes) {
        each.get(150, TimeUnit.SECONDS);
      }
    }
    assertThat(roles).containsEntry(Role.LEADER, 1).containsEntry(Role.FOLLOWER, 2);
    aNodeThatHasTheRootStartsWithoutTheOthers(members);
  }

  private void runNode(
      String id, String members, ConcurrentHashMap<Role, Integer> roles, CyclicBarrier together) {
    application(Application.class, id, members)
        .withPropertyValues("pmstore.engine.settings.electionTimeoutMillis=3000")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              Clinic clinic = context.getBean(Desk.class).clinic();
              PmStore store = context.getBean(PmStore.class);
              assertThat(clinic).isSameAs(store.root(Clinic.class));
              together.await(60, TimeUnit.SECONDS);
              Role role = store.replication().orElseThrow().status().role();
              roles.merge(role, 1, Integer::sum);
              if (role == Role.LEADER) {
                clinic.getVisits().put("Rex", 7);
              }
              together.await(60, TimeUnit.SECONDS);
              assertThat(visits(store, ReadConsistency.LINEARIZABLE)).isEqualTo(7);
              together.await(60, TimeUnit.SECONDS);
            });
  }

  private void aNodeThatHasTheRootStartsWithoutTheOthers(String members) {
    application(Application.class, "b", members)
        .withPropertyValues("pmstore.ready-timeout=300ms")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              PmStore store = context.getBean(PmStore.class);
              assertThat(store.replication().orElseThrow().status().ready()).isFalse();
              assertThat(visits(store, ReadConsistency.LOCAL)).isEqualTo(7);
            });
  }

  @Test
  void aRootThatNobodyMakesIsExplained() throws Exception {
    application(Application.class, "a", members("a", "b", "c"))
        .withPropertyValues("pmstore.ready-timeout=300ms")
        .run(
            context -> {
              FailureAnalysis analysis =
                  new StoreFailureAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .contains("the root \"clinic\"")
                  .contains("300 ms")
                  .contains("a majority of the members");
              assertThat(analysis.getAction())
                  .contains("pmstore.ready-timeout")
                  .contains("ObjectProvider");
            });
  }

  /** Nothing waits once the application has started: a request is refused at once. */
  @Test
  void aRootThatIsLookedForWhenItIsUsedDoesNotDelayTheStart() throws Exception {
    application(Lazy.class, "a", members("a", "b", "c"))
        .withPropertyValues("pmstore.ready-timeout=1h")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              ObjectProvider<Clinic> clinic = context.getBean(LazyDesk.class).clinic();
              assertThatThrownBy(clinic::getObject)
                  .hasRootCauseInstanceOf(NotLeaderException.class);
            });
    application(Lazy.class, "d", members("d"))
        .run(
            context -> {
              PmStore store = context.getBean(PmStore.class);
              store.replication().orElseThrow().awaitReady(Duration.ofSeconds(60));
              assertThat(context.getBean(LazyDesk.class).clinic().getObject())
                  .isSameAs(store.root(Clinic.class));
            });
  }

  @Test
  void aSettingThatIsMissingIsExplained() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PmStoreAutoConfiguration.class))
        .withPropertyValues("pmstore.directory=" + temp.resolve("a"), "pmstore.engine.name=raft")
        .run(
            context -> {
              FailureAnalysis analysis =
                  new StoreFailureAnalyzer().analyze(context.getStartupFailure());
              assertThat(analysis.getDescription()).contains("needs the setting \"id\"");
              assertThat(analysis.getAction())
                  .contains("pmstore.engine.settings.")
                  .contains("docs/replication.md");
              assertThat(temp.resolve("a")).doesNotExist();
            });
  }
}
