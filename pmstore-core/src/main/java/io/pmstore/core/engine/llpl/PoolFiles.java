package io.pmstore.core.engine.llpl;

import com.intel.pmem.llpl.HeapException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.StoreLock;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The files of a store: the pool, and its header. A store exists when {@code pool} does; it is made
 * under another name and renamed when it is whole.
 *
 * <pre>
 *   pool.new           being made                        a kill leaves what the next opening deletes
 *   pool.new header    whole                             the same
 *   pool     header    the store
 *            header    the pool was lost: refused
 * </pre>
 */
final class PoolFiles {
  private static final String POOL = "pool";
  private static final String HEADER = "pool.header";
  private static final String NEW_POOL = "pool.new";
  // The last is in the root directory of every ext file system.
  private static final Set<String> HARMLESS =
      Set.of(StoreLock.FILE, HEADER, NEW_POOL, "lost+found");

  private final Path directory;
  private final Path pool;
  private final Path header;
  private final Path newPool;

  PoolFiles(Path directory) {
    this.directory = directory;
    pool = directory.resolve(POOL);
    header = directory.resolve(HEADER);
    newPool = directory.resolve(NEW_POOL);
  }

  /** The store's directory. */
  Path directory() {
    return directory;
  }

  /** The pool. */
  Path pool() {
    return pool;
  }

  /** Whether there is a store, whole or damaged. */
  boolean exist() {
    return Files.exists(pool) || (Files.exists(header) && !Files.exists(newPool));
  }

  /**
   * Refuses what can be seen to be no store, before a lock file is put there.
   *
   * @throws StoreFormatException if the directory is none or holds something else
   * @throws StoreDamagedException if it holds a damaged store
   */
  void precheck() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    if (!Files.isDirectory(directory)) {
      throw new StoreFormatException(
          "%s is not a directory; a store is one: choose another path".formatted(directory));
    }
    if (!exist()) {
      refuseOthers();
    } else if (!Files.exists(directory.resolve(StoreLock.FILE))) {
      check();
    }
  }

  /** Refuses to make a store in a directory that holds something else. */
  void refuseOthers() throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      List<String> others =
          entries
              .map(entry -> entry.getFileName().toString())
              .filter(name -> !HARMLESS.contains(name))
              .sorted()
              .limit(5)
              .toList();
      if (!others.isEmpty()) {
        throw new StoreFormatException(
            "%s holds %s and no file '%s': it is no LLPL store, and a new one is only made in an absent or empty directory; choose another directory"
                .formatted(directory, others, POOL));
      }
    }
  }

  /** Makes the directory durably, with its parents, where there is none. */
  void createDirectory() throws IOException {
    List<Path> parents = new ArrayList<>();
    for (Path path = directory; path != null && !Files.exists(path); path = path.getParent()) {
      if (path.getParent() != null) {
        parents.add(path.getParent());
      }
    }
    if (!parents.isEmpty()) {
      Files.createDirectories(directory);
      for (Path parent : parents) {
        sync(parent);
      }
    }
  }

  /**
   * Makes a new store, durably.
   *
   * @param poolSize in bytes
   * @throws StoreFullException if the file system has no room for it
   */
  void create(long poolSize) throws IOException {
    // The header first: alone it would mean that a pool was lost.
    Files.deleteIfExists(header);
    sync(directory);
    Files.deleteIfExists(newPool);
    long size = (poolSize + 4095) & -4096;
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < size) {
      throw new StoreFullException(
          "a pool of %d bytes does not fit into %s, where %d are free; free some, or make PmStoreOptions.llplPoolSize smaller"
              .formatted(size, directory, free));
    }
    PoolHeader made = new PoolHeader(UUID.randomUUID(), size, false, 0);
    makePool(made);
    sync(newPool);
    made.closed(PoolCheck.seal(newPool)).write(header);
    sync(directory);
    Files.move(newPool, pool, StandardCopyOption.ATOMIC_MOVE);
    sync(directory);
  }

  private void makePool(PoolHeader made) {
    LlplPool created;
    try {
      created = LlplPool.create(newPool, made.poolSize());
    } catch (HeapException e) {
      throw new StoreFullException(
          "PMDK cannot make a pool of %d bytes in %s: %s; free some space, or make PmStoreOptions.llplPoolSize smaller"
              .formatted(made.poolSize(), directory, e.getMessage()),
          e);
    }
    try {
      PoolRoot.create(created, made);
    } finally {
      created.close();
    }
  }

  /**
   * Checks the store's files as far as it can be done before PMDK maps the pool.
   *
   * @return the header
   * @throws StoreFormatException if it is no LLPL store, or of another format version
   * @throws StoreDamagedException if it is damaged or not whole
   */
  PoolHeader check() throws IOException {
    if (!Files.exists(pool)) {
      throw new StoreDamagedException(
          "%s is missing, but its header is there; restore it from a backup, or delete %s to start an empty store"
              .formatted(pool, header));
    }
    if (!Files.exists(header)) {
      throw new StoreFormatException(
          "%s has no %s beside it, so it was not made by pmstore, or that file is lost; restore it from a backup"
              .formatted(pool, header.getFileName()));
    }
    PoolHeader found = PoolHeader.read(header);
    PoolCheck.check(pool, found);
    return found;
  }

  /** Notes that the pool is in use from now on, so that its seal will not hold. */
  void noteOpen(PoolHeader found) throws IOException {
    found.opened().write(header);
  }

  /** Seals the pool, which PMDK has closed. */
  void noteClosed(PoolHeader found) throws IOException {
    found.closed(PoolCheck.seal(pool)).write(header);
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
