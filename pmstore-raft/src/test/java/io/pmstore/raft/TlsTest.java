package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that use TLS work together; one whose files the others would refuse is not opened. */
@Timeout(180)
class TlsTest {
  @TempDir Path root;
  private TestCertificates made;

  @BeforeEach
  void make() throws Exception {
    made = new TestCertificates(root).make("a", "ca", "san=ip:127.0.0.1");
  }

  private void assertRefused(Path key, Path certificate, Path trust, String... parts)
      throws Exception {
    RaftSettings settings =
        RaftSettings.node("n")
            .member("n", "127.0.0.1", FreePorts.draw())
            .tls(key, certificate, trust);
    Path directory = root.resolve("node");
    PmStoreException refused =
        assertThrows(
            PmStoreException.class,
            () -> PmStore.open(directory, settings.options(PmStoreOptions.defaults())));
    for (String each : parts) {
      assertTrue(String.valueOf(refused.getMessage()).contains(each), refused::getMessage);
    }
    assertTrue(refused.getMessage().contains("RaftSettings.tls"), refused::getMessage);
    assertFalse(Files.exists(directory), "something was written");
  }

  @Test
  void nodesWorkTogether() throws Exception {
    try (Cluster cluster =
        new Cluster(root, "n1", "n2", "n3")
            .with(s -> s.tls(made.key("a"), made.chain("a"), made.chain("ca")))) {
      cluster.open("n1");
      NotLeaderException alone =
          assertThrows(
              NotLeaderException.class, () -> cluster.replication("n1").awaitReady(Duration.ZERO));
      assertTrue(alone.getMessage().contains("use TLS"), alone::getMessage);
      cluster.open("n2");
      cluster.open("n3");
      cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
      for (String id : cluster.ids()) {
        cluster.replication(id).awaitReady(Duration.ofSeconds(30));
      }
      cluster.assertAllEqual();
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsRefused() throws Exception {
    assertRefused(
        made.key("ca"),
        made.chain("a"),
        made.chain("ca"),
        made.key("ca").toString(),
        "does not belong to the certificate",
        made.chain("a").toString());
  }

  @Test
  void aCertificateThatIsNotValidNowIsRefused() throws Exception {
    made.make("late", "ca", "san=ip:127.0.0.1", "-startdate", "-3d");
    made.make("early", "ca", "san=ip:127.0.0.1", "-startdate", "+3d");
    for (String each : new String[] {"late", "early"}) {
      assertRefused(
          made.key(each), made.chain(each), made.chain("ca"), each + ".pem", "is valid from");
    }
  }

  @Test
  void aCertificateThatTheOthersWouldRefuseIsRefused() throws Exception {
    made.make("b", "other", "san=ip:127.0.0.1");
    made.make("moved", "ca", "san=ip:10.1.1.1");
    assertRefused(
        made.key("b"), made.chain("b"), made.chain("ca"), "b.pem", "valid certification path");
    assertRefused(
        made.key("moved"), made.chain("moved"), made.chain("ca"), "moved.pem", "127.0.0.1 found");
  }

  @Test
  void whatIsNoPemIsRefused() throws Exception {
    Path text = Files.writeString(root.resolve("text"), "hello");
    assertRefused(text, made.chain("a"), made.chain("ca"), text.toString(), "PKCS #8");
    assertRefused(made.key("a"), made.key("a"), made.chain("ca"), "no certificate in PEM");
    assertRefused(made.key("a"), made.chain("a"), text, text.toString(), "no certificate in PEM");
  }
}
