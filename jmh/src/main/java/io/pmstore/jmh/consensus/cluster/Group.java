package io.pmstore.jmh.consensus.cluster;

import io.pmstore.oms.run.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Three members in this process. For one thread. */
public final class Group implements AutoCloseable {
  /** The ids of the members. */
  public static final List<String> IDS = List.of("n1", "n2", "n3");

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Contender contender;
  private final Path root;
  private final String medium;
  private final long regionBytes;
  private final Map<String, Integer> ports;
  private final Map<String, Member> open = new TreeMap<>();

  /**
   * Opens a group; makes it at the first time.
   *
   * @param root where each member has a directory
   */
  public Group(Contender contender, Path root, String medium, long regionBytes) throws IOException {
    this.contender = contender;
    this.root = root;
    this.medium = medium;
    this.regionBytes = regionBytes;
    ports = FreePorts.draw(IDS);
    try {
      for (String id : IDS) {
        open(id);
      }
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** Opens a member that is closed. */
  public Member open(String id) throws IOException {
    Member member =
        new MemberSettings(contender, id, ports, root.resolve(id), medium, regionBytes).open();
    open.put(id, member);
    return member;
  }

  /** Closes a member. */
  public void close(String id) throws IOException {
    Member closing = open.remove(id);
    if (closing != null) {
      closing.close();
    }
  }

  /** Returns a member that is open. */
  public Member member(String id) {
    Member member = open.get(id);
    if (member == null) {
      throw new IllegalArgumentException(id + " is not open");
    }
    return member;
  }

  /** Waits for a leader; returns its id. */
  public String leader() throws InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      for (Map.Entry<String, Member> each : open.entrySet()) {
        if (each.getValue().leads()) {
          return each.getKey();
        }
      }
      pause(begin, "no leader was elected");
    }
  }

  /** Waits until a member has applied an entry. */
  public void awaitApplied(String id, long index) throws InterruptedException {
    long begin = System.nanoTime();
    while (member(id).applied() < index) {
      pause(begin, id + " has not applied the entry " + index);
    }
  }

  static void pause(long begin, String what) throws InterruptedException {
    if (System.nanoTime() - begin > PATIENCE_NANOS) {
      throw new IllegalStateException(what + " within a minute");
    }
    TimeUnit.MICROSECONDS.sleep(200);
  }

  @Override
  public void close() throws IOException {
    List<Member> members = List.copyOf(open.values());
    open.clear();
    // At the same time: Ratis takes up to a second to end the thread that writes a log.
    try (ExecutorService closers = Executors.newCachedThreadPool()) {
      CompletableFuture.allOf(
              members.stream()
                  .map(member -> CompletableFuture.runAsync(() -> closeUnchecked(member), closers))
                  .toArray(CompletableFuture[]::new))
          .join();
    } catch (CompletionException e) {
      throw new IOException("a member was not closed: " + e.getCause(), e);
    }
  }

  private static void closeUnchecked(Member member) {
    try {
      member.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
