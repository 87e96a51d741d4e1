package io.pmstore.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a node.
 *
 * <pre>
 *   node           "pmstore raft 1", the id, the group, and whether the heap is whole: lines of text
 *   replica/       the heap: a store of the engine of Storage.FILE
 *   replica.new/   an unfinished copy of another node's heap
 *   replica.old/   the heap that a copy is replacing
 *   raft/          the files of Ratis: its log, term and vote
 * </pre>
 */
final class NodeFiles {
  static final String NODE = "node";
  private static final String MAGIC = "pmstore raft 1";
  private static final String WHOLE = "whole";
  private static final String BEGUN = "begun";

  private final Path directory;

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

  /**
   * Prepares the directory for a node.
   *
   * @return true if its heap is new
   */
  boolean prepare(String id, String group) {
    try {
      if (!recognizes(directory)) {
        if (!Files.exists(directory)) {
          Files.createDirectories(
              directory,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        try (var present = Files.list(directory)) {
          if (present.findAny().isPresent()) {
            throw new StoreFormatException(
                "%s is to become a node of a replicated store, and holds something else; give an empty directory"
                    .formatted(directory));
          }
        }
        write(id, group, BEGUN);
      }
      check(id, group);
      deleteTree(newHeap());
      if (Files.exists(oldHeap())) {
        // A copy was replacing the heap: whole at its name, or still to be put back.
        if (Files.exists(heap())) {
          deleteTree(oldHeap());
        } else {
          move(oldHeap(), heap());
        }
      }
      if (isWhole()) {
        return false;
      }
      deleteTree(heap()); // interrupted when it was made, before anything was committed
      return true;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void check(String id, String group) throws IOException {
    String[] lines = lines();
    if (!lines[1].equals(id) || !lines[2].equals(group)) {
      throw new StoreFormatException(
          "%s is of the node \"%s\" of the group \"%s\", and \"%s\" of \"%s\" was asked for; open it as what it is, or give another directory"
              .formatted(directory, lines[1], lines[2], id, group));
    }
  }

  private String[] lines() throws IOException {
    String[] lines = Files.readString(directory.resolve(NODE), UTF_8).split("\n", -1);
    if (lines.length < 4 || !lines[0].equals(MAGIC)) {
      throw new StoreFormatException(
          "%s begins with \"%s\", expected \"%s\" and three more lines; open it with the program that wrote it"
              .formatted(directory.resolve(NODE), lines[0], MAGIC));
    }
    return lines;
  }

  private boolean isWhole() throws IOException {
    return lines()[3].equals(WHOLE);
  }

  /** Notes that the heap is whole, so that it is kept from now on. */
  void heapIsWhole(String id, String group) {
    try {
      if (!isWhole()) {
        sync(heap());
        write(id, group, WHOLE);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void write(String id, String group, String state) throws IOException {
    Path made = directory.resolve(NODE + ".new");
    Files.writeString(made, String.join("\n", MAGIC, id, group, state, ""), UTF_8);
    sync(made);
    move(made, directory.resolve(NODE));
  }

  /** Puts the copy in the place of the heap, durably: a crash leaves one of the two. */
  void replaceHeap() {
    try {
      move(heap(), oldHeap());
      move(newHeap(), heap());
      deleteTree(oldHeap());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    sync(directory);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static void deleteTree(Path root) throws IOException {
    if (!Files.exists(root)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private PmStoreException failed(IOException e) {
    return new PmStoreException(
        "the files of the node in %s cannot be read or written: %s; check the directory and its disk"
            .formatted(directory, e),
        e);
  }
}
