package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.StoreClosedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes of a replicated store in this process, each with a directory and a port of its own. */
final class Cluster implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(30);

  private final Path root;
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final Map<String, PmStore> open = new ConcurrentSkipListMap<>();
  private UnaryOperator<RaftSettings> settings =
      s -> s.electionTimeout(Duration.ofMillis(600)).outcomeTimeout(Duration.ofSeconds(3));
  private PmStoreOptions options = PmStoreOptions.defaults();

  Cluster(Path root, String... ids) throws IOException {
    this.root = root;
    for (String id : ids) {
      ports.put(id, FreePorts.draw());
    }
  }

  /** Makes another cluster of nodes with the ids and addresses of this one, which is closed. */
  Cluster sameAddresses(Path otherRoot) throws IOException {
    Cluster other = new Cluster(otherRoot);
    other.ports.putAll(ports);
    other.settings = settings;
    other.options = options;
    return other;
  }

  /** Copies the files of this cluster, which is closed, to those of another with its addresses. */
  Cluster copy(Path otherRoot) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) { // a directory before what is in it
        Files.copy(file, otherRoot.resolve(root.relativize(file)));
      }
    }
    return sameAddresses(otherRoot);
  }

  /** Returns the seed of a random test, and prints how to run the test with it again. */
  static long seed(Class<?> test) {
    long seed = Long.getLong("pmstore.seed", new Random().nextLong());
    System.out.println(test.getSimpleName() + ": -Dpmstore.seed=" + seed);
    return seed;
  }

  /**
   * Returns true while a test that takes a time has to go on: for that time, and on a slow machine
   * up to four times as long, until enough was done.
   *
   * @param begin of the test, on the clock of System.nanoTime
   */
  static boolean goesOn(long begin, long seconds, BooleanSupplier isEnough) {
    long elapsed = System.nanoTime() - begin;
    long wanted = TimeUnit.SECONDS.toNanos(seconds);
    return elapsed < wanted || (elapsed < 4 * wanted && !isEnough.getAsBoolean());
  }

  Cluster with(UnaryOperator<RaftSettings> more) {
    UnaryOperator<RaftSettings> before = settings;
    settings = s -> more.apply(before.apply(s));
    return this;
  }

  Cluster with(PmStoreOptions other) {
    options = other;
    return this;
  }

  PmStoreOptions options(String id) {
    RaftSettings of = RaftSettings.node(id);
    for (Map.Entry<String, Integer> each : ports.entrySet()) {
      of = of.member(each.getKey(), "127.0.0.1", each.getValue());
    }
    return settings.apply(of).options(options);
  }

  Path directory(String id) {
    return root.resolve(id);
  }

  /** Opens all nodes. */
  Cluster openAll() {
    ports.keySet().forEach(this::open);
    return this;
  }

  PmStore open(String id) {
    PmStore store = PmStore.open(directory(id), options(id));
    open.put(id, store);
    return store;
  }

  /** Opens a node that is to be added, maybe again. */
  PmStore openToJoin(String id) throws IOException {
    Integer known = ports.get(id);
    int port = known == null ? FreePorts.draw() : known;
    ports.put(id, port);
    RaftSettings of = RaftSettings.node(id).member(id, "127.0.0.1", port).join();
    PmStore store = PmStore.open(directory(id), settings.apply(of).options(options));
    open.put(id, store);
    return store;
  }

  String address(String id) {
    return "127.0.0.1:" + ports.get(id);
  }

  void close(String id) {
    PmStore closing = open.remove(id);
    if (closing != null) {
      closing.close();
    }
  }

  /** Returns a node, or null if it is not open. Any thread may call this. */
  @Nullable PmStore find(String id) {
    return open.get(id);
  }

  PmStore store(String id) {
    PmStore store = find(id);
    if (store == null) {
      throw new NotOpenException(id);
    }
    return store;
  }

  /** A node is not open now. */
  static final class NotOpenException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NotOpenException(String id) {
      super(id + " is not open");
    }
  }

  /** Returns the ids of the open nodes. Any thread may call this. */
  Set<String> ids() {
    return open.keySet();
  }

  /** Returns a node that seems to lead, or null. Any thread may call this. */
  @Nullable PmStore likelyLeader() {
    for (PmStore store : open.values()) {
      try {
        if (store.replication().orElseThrow().status().role() == ReplicationStatus.Role.LEADER) {
          return store;
        }
      } catch (StoreClosedException e) {
        continue; // it was closed a moment ago
      }
    }
    return null;
  }

  /** Closes a node that is no member any more; it is not opened again. */
  void forget(String id) {
    close(id);
    ports.remove(id);
  }

  Replication replication(String id) {
    return store(id).replication().orElseThrow();
  }

  ReplicationStatus status(String id) {
    return replication(id).status();
  }

  /** Waits for a leader that runs transactions; returns its id. */
  String leader() throws InterruptedException {
    @Nullable String found = null;
    for (long begin = System.nanoTime(); System.nanoTime() - begin < WAIT.toNanos(); ) {
      for (String id : open.keySet()) {
        ReplicationStatus status = status(id);
        if (status.role() == ReplicationStatus.Role.LEADER && status.ready()) {
          found = id;
        }
      }
      if (found != null) {
        return found;
      }
      Thread.sleep(5);
    }
    throw new AssertionError("no leader after " + WAIT + ": " + statuses());
  }

  /** Waits until a node knows that nobody leads. */
  void awaitNoLeader(String id) throws InterruptedException {
    for (long begin = System.nanoTime(); status(id).leader().isPresent(); Thread.sleep(5)) {
      if (System.nanoTime() - begin > WAIT.toNanos()) {
        throw new AssertionError("still a leader after " + WAIT + ": " + statuses());
      }
    }
  }

  PmStore leaderStore() throws InterruptedException {
    return store(leader());
  }

  String follower() throws InterruptedException {
    String leader = leader();
    return open.keySet().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
  }

  Map<String, Object> statuses() {
    Map<String, Object> all = new TreeMap<>();
    open.forEach((id, store) -> all.put(id, status(id)));
    return all;
  }

  /**
   * Runs a transaction on the leader, whoever that is in the end. It may happen twice, if the
   * leadership moves meanwhile.
   */
  void onLeader(PmStoreBody body) throws InterruptedException {
    for (long begin = System.nanoTime(); ; ) {
      PmStore store = leaderStore();
      try {
        store.transaction(() -> body.run(store));
        return;
      } catch (NotLeaderException | OutcomeUnknownException e) {
        if (System.nanoTime() - begin > WAIT.toNanos()) {
          throw e;
        }
      }
    }
  }

  void onLeaderUnchecked(PmStoreBody body) {
    try {
      onLeader(body);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  String leaderUnchecked() {
    try {
      return leader();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A body of a transaction. */
  interface PmStoreBody {
    void run(PmStore store);
  }

  /** Waits until all open nodes have applied the same, and requires that they have the same. */
  void assertAllEqual() throws InterruptedException {
    Map<String, Replication.Digest> digests = new TreeMap<>();
    for (long begin = System.nanoTime(); System.nanoTime() - begin < WAIT.toNanos(); ) {
      digests.clear();
      open.forEach((id, store) -> digests.put(id, store.replication().orElseThrow().digest()));
      if (digests.values().stream().map(Replication.Digest::index).distinct().count() == 1) {
        assertEquals(
            1,
            digests.values().stream().map(Replication.Digest::sha256).distinct().count(),
            digests::toString);
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the nodes are at different entries: " + digests + statuses());
  }

  /** Puts a note, again and again, until no open node has the begin of the log any more. */
  void outgrowLogs() throws InterruptedException, IOException {
    PmStore leader = leaderStore();
    for (String id : open.keySet()) {
      for (int i = 0; i == 0 || !firstSegments(id).isEmpty(); i++) {
        assertTrue(i < 5000, id + " keeps its log");
        String value = "" + i;
        leader.transaction(() -> leader.root(Bank.class).getNotes().put("outgrown", value));
      }
    }
  }

  /** Returns the files of a node's log that begin with the first entry. */
  List<String> firstSegments(String id) throws IOException {
    try (Stream<Path> files = Files.walk(directory(id).resolve("raft"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("log_0-") || name.equals("log_inprogress_0"))
          .toList();
    } catch (UncheckedIOException e) {
      return List.of("a file that was just dropped: " + e.getMessage());
    }
  }

  /** Waits until a node's log has an entry; returns the index of the first. */
  long logBegin(String id) throws IOException, InterruptedException {
    Pattern file = Pattern.compile("log_(?:inprogress_)?([0-9]+).*");
    OptionalLong before = OptionalLong.empty();
    for (long start = System.nanoTime(); System.nanoTime() - start < WAIT.toNanos(); ) {
      OptionalLong begin = OptionalLong.empty();
      try (Stream<Path> files = Files.walk(directory(id).resolve("raft"))) {
        begin =
            files
                .map(each -> file.matcher(each.getFileName().toString()))
                .filter(Matcher::matches)
                .mapToLong(name -> Long.parseLong(name.group(1)))
                .min();
      } catch (UncheckedIOException e) {
        assertInstanceOf(NoSuchFileException.class, e.getCause()); // it was just dropped
      }
      if (begin.isPresent() && begin.equals(before)) {
        return begin.getAsLong();
      }
      before = begin; // a list lacks a file that is just renamed, two do not
      Thread.sleep(1);
    }
    throw new AssertionError("the node " + id + " has no log");
  }

  @Override
  public void close() {
    // At the same time: Ratis takes up to a second to end the thread that writes a log.
    try (ExecutorService closers = Executors.newCachedThreadPool()) {
      CompletableFuture.allOf(
              open.keySet().stream()
                  .map(id -> CompletableFuture.runAsync(() -> close(id), closers))
                  .toArray(CompletableFuture[]::new))
          .join();
    }
  }
}
