package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose messages a node takes, before and after it belongs to a cluster. */
class ClusterGuardTest {
  private static final UUID FIRST = new UUID(1, 1);
  private static final UUID SECOND = new UUID(2, 2);
  private static final RaftSettings SETTINGS =
      RaftSettings.node("a").member("a", "localhost", 7000).member("b", "localhost", 7001);

  @TempDir Path root;
  private ClusterGuard guard;

  @BeforeEach
  void open() throws IOException {
    NodeFiles files = new NodeFiles(Files.createDirectory(root.resolve("a")));
    files.prepare("a", "pmstore");
    guard = new ClusterGuard(SETTINGS, files);
  }

  private static String cluster(UUID id) {
    return ClusterTag.ofCluster(id).toString();
  }

  private static String founders(RaftSettings settings) {
    return ClusterTag.ofFounders(settings.members()).toString();
  }

  @Test
  void aTagIsReadAsItWasWritten() {
    for (ClusterTag tag :
        new ClusterTag[] {
          ClusterTag.ofCluster(UUID.randomUUID()), ClusterTag.ofFounders(Map.of("a", "x:1"))
        }) {
      assertEquals(tag, ClusterTag.parse(tag.toString()));
      ByteString message = Questions.message(tag, Questions.of(Questions.NEWEST, 7, 0));
      for (ByteString sent :
          new ByteString[] {message, ByteString.copyFrom(message.toByteArray())}) {
        assertEquals(tag, Questions.tag(sent));
        assertEquals(Questions.NEWEST, Questions.word(Questions.question(sent), 0));
        assertEquals(7, Questions.word(Questions.question(sent), 1));
      }
    }
    assertNull(ClusterTag.parse(""));
    assertNull(ClusterTag.parse("cluster of mine"));
  }

  @Test
  void aNewNodeTakesMessagesOfThoseWithTheSameMembers() {
    assertDoesNotThrow(() -> guard.checkMessage("b", founders(SETTINGS)));
    assertNull(guard.cluster());
    assertThrows(
        IOException.class,
        () -> guard.checkMessage("b", founders(SETTINGS.member("c", "localhost", 7002))));
    assertThrows(IOException.class, () -> guard.checkMessage("b", ""));
    assertTrue(String.valueOf(guard.lastRefusal()).contains("unknown cluster"));
  }

  @Test
  void aNewNodeBelongsToTheFirstClusterThatReachesItAlsoAfterARestart() throws Exception {
    guard.checkMessage("b", cluster(FIRST));
    guard = new ClusterGuard(SETTINGS, new NodeFiles(root.resolve("a")));
    assertEquals(FIRST, guard.cluster());
    guard.checkMessage("b", cluster(FIRST));
    IOException refused =
        assertThrows(IOException.class, () -> guard.checkMessage("b", cluster(SECOND)));
    assertTrue(refused.getMessage().contains(FIRST.toString()), refused::getMessage);
    assertTrue(refused.getMessage().contains(SECOND.toString()), refused::getMessage);
    assertThrows(IOException.class, () -> guard.checkMessage("b", founders(SETTINGS)));
    assertEquals(FIRST, guard.cluster());
  }

  @Test
  void aQuestionIsAnsweredWithinAClusterAndJoinsNone() {
    assertNotNull(guard.findFaultOfQuestion(ClusterTag.ofCluster(FIRST)));
    assertNull(guard.cluster());
    assertTrue(guard.join(FIRST));
    assertNull(guard.findFaultOfQuestion(ClusterTag.ofCluster(FIRST)));
    assertNotNull(guard.findFaultOfQuestion(ClusterTag.ofCluster(SECOND)));
    assertNotNull(guard.findFaultOfQuestion(ClusterTag.ofFounders(SETTINGS.members())));
  }
}
