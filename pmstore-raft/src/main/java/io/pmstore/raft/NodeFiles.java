package io.pmstore.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.Directories;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node.
 *
 * <pre>
 *   lock           keeps other processes out
 *   node           lines of text: "pmstore raft 3", the id, the group, the state, and the id of the
 *                  cluster, which is empty until the node belongs to one. The state is "begun", then
 *                  "whole" when the heap is, then "started" when Ratis has its files
 *   replica/       the heap: a store of the engine of Storage.FILE
 *   replica.new/   a copy of another node's heap that is unfinished, or could not be opened
 *   replica.old/   the heap that a copy is replacing
 *   raft/          the files of Ratis: its log, term and vote; and in the directory of the group the
 *                  file owner, lines of text: "pmstore raft log 1", the id of the node, and the id
 *                  of the cluster, which is empty until the node belongs to one
 * </pre>
 */
final class NodeFiles implements AutoCloseable {
  static final String NODE = "node";
  private static final String MAGIC = "pmstore raft 3";
  private static final List<String> OLDER = List.of("pmstore raft 1", "pmstore raft 2");
  private static final String WHOLE = "whole";
  private static final String STARTED = "started";
  private static final String BEGUN = "begun";
  private static final String OWNER = "owner";
  private static final String OWNER_MAGIC = "pmstore raft log 1";

  private final Path directory;
  private @Nullable StoreLock lock;

  /** What the file {@link #NODE} says. */
  private record Description(String id, String group, String state, String cluster) {}

  NodeFiles(Path directory) {
    this.directory = directory;
  }

  static boolean recognizes(Path directory) {
    return Files.isRegularFile(directory.resolve(NODE));
  }

  Path directory() {
    return directory;
  }

  Path heap() {
    return directory.resolve("replica");
  }

  Path newHeap() {
    return directory.resolve("replica.new");
  }

  private Path oldHeap() {
    return directory.resolve("replica.old");
  }

  Path log() {
    return directory.resolve("raft");
  }

  /** Returns the directory that Ratis makes for a group. */
  Path log(String group) {
    return log().resolve(RatisServer.groupId(group).getUuid().toString());
  }

  /**
   * Locks the directory until {@link #close}, and makes it if there is none.
   *
   * @throws io.pmstore.StoreLockedException if the node is open, in this process or another
   */
  void lock() {
    try {
      if (Files.exists(directory) && !recognizes(directory)) {
        checkIsEmpty();
      }
      AccessRights.OWNER.createDirectories(directory);
    } catch (IOException e) {
      throw failed(e);
    }
    lock = StoreLock.acquire(directory);
  }

  private void checkIsEmpty() throws IOException {
    try (var present = Files.list(directory)) {
      if (present.anyMatch(each -> !each.endsWith(StoreLock.FILE))) {
        throw new StoreFormatException(
            "%s is to become a node of a replicated store, and holds something else; give an empty directory"
                .formatted(directory));
      }
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() {
    if (lock != null) {
      lock.release();
    }
  }

  /**
   * Prepares the locked directory for a node.
   *
   * @return true if its heap is new
   */
  boolean prepare(String id, String group) {
    try {
      if (!recognizes(directory)) {
        write(new Description(id, group, BEGUN, ""));
      }
      check(id, group);
      Directories.sync(directory); // a killed process may have renamed a heap, and not durably
      deleteTree(newHeap());
      if (Files.exists(oldHeap())) {
        // A copy was replacing the heap: whole at its name, or still to be put back.
        if (Files.exists(heap())) {
          deleteTree(oldHeap());
        } else {
          move(oldHeap(), heap());
        }
      }
      Description now = read();
      checkOwner(now);
      String state = now.state();
      if (!state.equals(BEGUN)) {
        checkIsThere(heap().resolve("heap"), id);
      }
      if (state.equals(STARTED)) {
        checkIsThere(log(group).resolve("current").resolve("raft-meta"), id);
      }
      if (!state.equals(BEGUN)) {
        return false;
      }
      deleteTree(heap()); // interrupted when it was made, before anything was committed
      return true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void check(String id, String group) throws IOException {
    Description found = read();
    if (!found.id().equals(id) || !found.group().equals(group)) {
      throw new StoreFormatException(
          "%s is of the node \"%s\" of the group \"%s\", and \"%s\" of \"%s\" was asked for; open it as what it is, or give another directory"
              .formatted(directory, found.id(), found.group(), id, group));
    }
  }

  private Description read() throws IOException {
    String[] lines = Files.readString(directory.resolve(NODE), UTF_8).split("\n", -1);
    if (OLDER.contains(lines[0])) {
      throw new StoreFormatException(
          "%s begins with \"%s\", expected \"%s\": the node is of an older version, whose log has entries of another form; make a backup with that version, and found a cluster in empty directories with this one"
              .formatted(directory.resolve(NODE), lines[0], MAGIC));
    }
    if (lines.length < 5 || !lines[0].equals(MAGIC)) {
      throw new StoreFormatException(
          "%s begins with \"%s\", expected \"%s\" and four more lines; open it with the program that wrote it"
              .formatted(directory.resolve(NODE), lines[0], MAGIC));
    }
    return new Description(lines[1], lines[2], lines[3], lines[4]);
  }

  /** A node without its heap or its log would forget what it has confirmed, in silence. */
  private static void checkIsThere(Path file, String id) {
    if (!Files.exists(file)) {
      throw new StoreFormatException(
          "%s is missing, which the node %s has had: it has lost what it has confirmed to the others; put the file back, or replace the node by a new one under another id, as docs/replication.md says under \"A node is lost\""
              .formatted(file, id));
    }
  }

  /** The log has the vote of its node, and what that node has confirmed to its cluster. */
  private void checkOwner(Description node) throws IOException {
    Path owner = log(node.group()).resolve(OWNER);
    if (!Files.exists(owner)) {
      return; // noted when the server has started
    }
    String[] lines = Files.readString(owner, UTF_8).split("\n", -1);
    if (lines.length < 3 || !lines[0].equals(OWNER_MAGIC)) {
      throw new StoreFormatException(
          "%s begins with \"%s\", expected \"%s\" and two more lines; open it with the program that wrote it"
              .formatted(owner, lines[0], OWNER_MAGIC));
    }
    boolean isOurs =
        lines[1].equals(node.id()) && (lines[2].isEmpty() || lines[2].equals(node.cluster()));
    if (!isOurs) {
      throw new StoreFormatException(
          "the log in %s is of the node \"%s\" of %s, and %s is of the node \"%s\" of %s; put back the log that belongs there, or replace the node by a new one under another id, as docs/replication.md says under \"A node is lost\""
              .formatted(
                  owner.getParent(),
                  lines[1],
                  clusterText(lines[2]),
                  directory,
                  node.id(),
                  clusterText(node.cluster())));
    }
  }

  private static String clusterText(String cluster) {
    return cluster.isEmpty() ? "no cluster yet" : "the cluster " + cluster;
  }

  /** Notes in the directory of the log to whom it belongs. */
  private void writeOwner(Description node) throws IOException {
    Path owner = log(node.group()).resolve(OWNER);
    String text = text(OWNER_MAGIC, node.id(), node.cluster());
    if (!Files.exists(owner) || !Files.readString(owner, UTF_8).equals(text)) {
      write(owner, text);
    }
  }

  /** Notes that the heap is whole, so that it is kept from now on. */
  void heapIsWhole() {
    try {
      if (read().state().equals(BEGUN)) {
        Directories.sync(heap());
        writeState(WHOLE);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Notes that Ratis has made its files, so that they have to be there from now on. */
  void hasStarted() {
    try {
      if (!read().state().equals(STARTED)) {
        Path ofGroup = log(read().group());
        for (Path made : List.of(log(), ofGroup, ofGroup.resolve("current"))) {
          Directories.sync(made);
        }
        writeState(STARTED);
      }
      writeOwner(read());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void writeState(String state) throws IOException {
    Description now = read();
    write(new Description(now.id(), now.group(), state, now.cluster()));
  }

  /** Returns the cluster to which the node belongs, or null if it belongs to none yet. */
  @Nullable UUID cluster() {
    try {
      String cluster = read().cluster();
      return cluster.isEmpty() ? null : UUID.fromString(cluster);
    } catch (IllegalArgumentException e) {
      throw new StoreFormatException(
          "%s has no id of a cluster in its fifth line: %s; put the file back as it was, or replace the node"
              .formatted(directory.resolve(NODE), e.getMessage()),
          e);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Notes the cluster to which the node belongs, durably. */
  void writeCluster(UUID cluster) {
    try {
      Description now = read();
      Description joined = new Description(now.id(), now.group(), now.state(), cluster.toString());
      write(joined);
      if (Files.exists(log(now.group()))) {
        writeOwner(joined);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void write(Description node) throws IOException {
    write(
        directory.resolve(NODE),
        text(MAGIC, node.id(), node.group(), node.state(), node.cluster()));
  }

  private static String text(String... lines) {
    return String.join("\n", lines) + "\n";
  }

  /** Replaces a file as a whole, durably. */
  private static void write(Path file, String text) throws IOException {
    Path made = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(made, text, UTF_8);
    syncFile(made);
    move(made, file);
  }

  /** Puts the copy in the place of the heap, durably: a crash leaves one of the two. */
  void replaceHeap() {
    try {
      move(heap(), oldHeap());
      move(newHeap(), heap());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Deletes the heap that a copy has replaced. */
  void deleteOldHeap() {
    try {
      deleteTree(oldHeap());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Puts a copy aside that the node cannot open; {@link #prepare} then puts the old heap back. */
  void keepOldHeap() {
    try {
      if (Files.exists(oldHeap()) && !Files.exists(newHeap())) {
        move(heap(), newHeap());
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    Directories.sync(requireNonNull(to.getParent()));
  }

  private static void syncFile(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private PmStoreException failed(IOException e) {
    return new PmStoreException(
        "the files of the node in %s cannot be read or written: %s; check the directory and its disk"
            .formatted(directory, e),
        e);
  }

  /**
   * Removes a directory with everything in it. Unlike {@link Directories#delete} this method leaves
   * a link that leads nowhere: HeapReplacementTest puts one where a copy is to come, and so holds
   * copies back.
   */
  static void deleteTree(Path root) throws IOException {
    if (Files.exists(root)) {
      Directories.delete(root);
    }
  }
}
