package io.pmstore.llpl;

import io.pmstore.GroupAccess;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.Directories;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.MediumException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a store: the pool, which is a directory of parts or one file, and its header. This
 * class uses no class of LLPL, so it can also find out without LLPL whether a directory has a
 * store. A store exists if {@code pool} exists; the pool is created under another name and renamed
 * when it is whole.
 *
 * <pre>
 *   pool.new           unfinished                        after a kill the next opening deletes it
 *   pool.new header    whole                             the same
 *   pool     header    the store
 *            header    the pool was lost: refused
 * </pre>
 *
 * <p>{@code pool.set} is beside a growing pool and has a meaning only while PMDK opens the pool.
 */
final class PoolFiles {
  private static final String POOL = "pool";
  private static final String HEADER = "pool.header";
  private static final String NEW_POOL = "pool.new";
  private static final String SET = "pool.set";
  private static final Set<String> HARMLESS = Set.of(StoreLock.FILE, HEADER, NEW_POOL, SET);

  private final Path directory;
  private final Path pool;
  private final Path header;
  private final Path newPool;
  private final Path set;
  private final AccessRights rights;

  /** The files in a directory; those that are made are the owner's alone. */
  PoolFiles(Path directory) {
    this(directory, AccessRights.OWNER);
  }

  /**
   * The files in a directory.
   *
   * @param rights of the files that are made
   */
  PoolFiles(Path directory, AccessRights rights) {
    this.directory = directory;
    this.rights = rights;
    pool = directory.resolve(POOL);
    header = directory.resolve(HEADER);
    newPool = directory.resolve(NEW_POOL);
    set = directory.resolve(SET);
  }

  /** The store's directory. */
  Path directory() {
    return directory;
  }

  /** The pool: the directory of its parts, or its file. */
  Path pool() {
    return pool;
  }

  /** The rights for new files: those that the store has, or is to have. */
  static AccessRights rights(Path directory, GroupAccess group) throws IOException {
    return AccessRights.ofStore(directory.resolve(HEADER), group);
  }

  /** The rights of the files that are made. */
  AccessRights rights() {
    return rights;
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
    if (!StorePlatform.isDirectory(directory)) {
      return;
    }
    if (!exist()) {
      refuseOthers();
    } else if (!Files.exists(directory.resolve(StoreLock.FILE))) {
      check();
    }
  }

  /** Refuses to make a store in a directory that holds something else. */
  void refuseOthers() throws IOException {
    List<String> others =
        new FileMedium(directory)
            .list().stream().filter(name -> !HARMLESS.contains(name)).limit(5).toList();
    if (!others.isEmpty()) {
      throw new StoreFormatException(
          "%s holds %s and no file '%s': it is no LLPL store, and a new one is only made in an absent or empty directory; choose another directory"
              .formatted(directory, others, POOL));
    }
  }

  /** Makes the directory durably, with its parents, where there is none. */
  void createDirectory() throws IOException {
    rights.createDirectories(directory);
  }

  /**
   * Makes a new store, durably: one that grows, if PMDK lets a pool grow so far.
   *
   * @param poolSize the most that it is to have, in bytes
   * @throws StoreFullException if the file system has no room for it
   */
  void create(long poolSize) throws IOException {
    long most = PoolSpace.most(poolSize);
    if (most <= PoolSpace.GROWING_MAX) {
      create(new PoolHeader(UUID.randomUUID(), true, most, false, 0));
    } else {
      createWhole(poolSize);
    }
  }

  /** Makes a new store whose pool is one file, durably. */
  void createWhole(long poolSize) throws IOException {
    long size = (poolSize + PoolSpace.PAGE - 1) & -PoolSpace.PAGE;
    create(new PoolHeader(UUID.randomUUID(), false, size, false, 0));
  }

  private void create(PoolHeader made) throws IOException {
    // The header first: alone it would mean that a pool was lost.
    Files.deleteIfExists(header);
    Directories.sync(directory);
    deleteNewPool();
    long size = made.growing() ? PoolSpace.first(made.poolSize()) : made.poolSize();
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < size) {
      throw doesNotFit(size, "%d are free".formatted(free), null);
    }
    if (made.growing()) {
      makeGrowingPool(made, size);
      Directories.sync(newPool);
    } else {
      makePool(made, () -> LlplPool.create(newPool, size));
      rights.applyTo(newPool);
      syncFile(newPool);
    }
    seal(newPool, made).write(header, rights);
    Directories.sync(directory);
    Files.move(newPool, pool, StandardCopyOption.ATOMIC_MOVE);
    Directories.sync(directory);
  }

  /** Makes the names of the files durable: a killed process may have renamed one just before. */
  void syncNames() throws IOException {
    Directories.sync(directory);
    if (Files.isDirectory(pool)) {
      Directories.sync(pool);
    }
  }

  private void deleteNewPool() throws IOException {
    if (Files.isDirectory(newPool)) {
      try (Stream<Path> parts = Files.list(newPool)) {
        for (Path part : parts.toList()) {
          Files.delete(part);
        }
      }
    }
    Files.deleteIfExists(newPool);
  }

  private StoreFullException doesNotFit(long size, String why, @Nullable Throwable cause) {
    return new StoreFullException(
        "a pool of %d bytes does not fit into %s: %s; free some space, or make PmStoreOptions.llplPoolSize smaller"
            .formatted(size, directory, why),
        cause);
  }

  private void makeGrowingPool(PoolHeader made, long size) throws IOException {
    rights.createDirectory(newPool);
    Path part = PoolParts.file(newPool, 0);
    try {
      PoolParts.make(part, size, rights);
    } catch (MediumException e) {
      if (e.noRoom()) {
        throw doesNotFit(size, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
    try (PoolSet description = PoolSet.write(set, newPool, made.poolSize(), rights)) {
      makePool(made, () -> LlplPool.create(description));
    }
    new PartMark(made.uuid(), 0, size).write(part);
  }

  private void makePool(PoolHeader made, Supplier<LlplPool> maker) {
    LlplPool created = maker.get();
    try {
      PoolRoot.create(created, made);
    } finally {
      created.close();
    }
  }

  /** Describes the growing pool, for PMDK to open it. */
  PoolSet writeSet(PoolHeader found) throws IOException {
    return PoolSet.write(set, pool, found.poolSize(), rights);
  }

  /**
   * Checks the store's files as far as it can be done before PMDK maps the pool.
   *
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
    try (PoolParts parts = PoolParts.open(pool, found)) {
      PoolCheck.check(pool, parts, found);
    }
    return found;
  }

  /** Deletes what attempts to grow have left over, which PMDK would take for a part. */
  void tidyUp(PoolParts parts) throws IOException {
    Files.deleteIfExists(pool.resolve(PoolGrowth.NEW_PART));
    Path leftOver = parts.leftOver();
    if (leftOver != null) {
      Files.delete(leftOver);
    }
  }

  /** Notes that the pool is in use from now on, so that its seal will not hold. */
  void noteOpen(PoolHeader found) throws IOException {
    found.opened().write(header, rights);
  }

  /** Seals the pool, which PMDK has closed. */
  void noteClosed(PoolHeader found) throws IOException {
    seal(pool, found).write(header, rights);
  }

  private static PoolHeader seal(Path pool, PoolHeader found) throws IOException {
    try (PoolParts parts = PoolParts.open(pool, found)) {
      return found.closed(PoolCheck.seal(parts));
    }
  }

  private static void syncFile(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
