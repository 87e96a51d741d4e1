package io.pmstore.oms.cluster;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.raft.RaftSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One node of the cluster, in a process of its own: opens its copy of the store and does what its
 * standard input says. Ends when that ends, so no node outlives the process that started it.
 */
public final class ClusterNode {
  static final String AWAIT = "await";
  static final String DRIVE = "drive";
  static final String STOP = "stop";
  static final String DIGEST = "digest";
  static final String BACKUP = "backup ";
  static final String CLOSE = "close";

  private static final Duration READY_AT_MOST = Duration.ofMinutes(1);
  private static final int FIRST_MEMBER = 3;

  private ClusterNode() {}

  /**
   * Runs the node.
   *
   * @param args directory, id, number of threads, and each member as id=host:port
   * @throws IOException if standard input cannot be read
   * @throws InterruptedException never
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    RaftSettings settings = RaftSettings.node(args[1]);
    for (int i = FIRST_MEMBER; i < args.length; i++) {
      String[] member = args[i].split("[=:]", -1);
      settings = settings.member(member[0], member[1], Integer.parseInt(member[2]));
    }
    NodeOutput out = new NodeOutput();
    int exit = 1;
    try {
      PmStore store = PmStore.open(Path.of(args[0]), settings.options(PmStoreOptions.defaults()));
      out.say(NodeOutput.OPEN);
      obey(store, new Driver(store, Integer.parseInt(args[2]), out), out);
      exit = 0;
    } catch (RuntimeException e) {
      e.printStackTrace(System.err);
    }
    // Unless it was told to close, it ends as it would when killed.
    Runtime.getRuntime().halt(exit);
  }

  private static void obey(PmStore store, Driver driver, NodeOutput out)
      throws IOException, InterruptedException {
    Replication replication = store.replication().orElseThrow();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      switch (line) {
        case AWAIT -> {
          replication.awaitReady(READY_AT_MOST);
          out.say(NodeOutput.READY);
        }
        case DRIVE -> {
          driver.start();
          out.say(NodeOutput.DRIVING);
        }
        case STOP -> {
          driver.stop();
          out.say(NodeOutput.STOPPED);
        }
        case DIGEST -> {
          Replication.Digest digest = replication.digest();
          out.say(NodeOutput.DIGEST + digest.index() + " " + digest.sha256());
        }
        case CLOSE -> {
          store.close();
          out.say(NodeOutput.CLOSED);
          return;
        }
        default -> {
          if (!line.startsWith(BACKUP)) {
            throw new IllegalArgumentException("there is no command '" + line + "'");
          }
          store.backup(Path.of(line.substring(BACKUP.length())));
          out.say(NodeOutput.BACKED_UP);
        }
      }
    }
  }
}
