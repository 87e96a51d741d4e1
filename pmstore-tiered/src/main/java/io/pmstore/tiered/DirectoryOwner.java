package io.pmstore.tiered;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The store that a directory of pools or files belongs to. The name of a file there, the mark, has
 * the store's id. A store's own directory has no mark: its header names the store.
 *
 * <p>Of two stores that claim a directory at the same time, at least one finds the other's mark,
 * because each makes its own before it looks for others. In the same way a store that claims a
 * directory finds the lock file of one that is being made there, or that one finds the mark.
 */
final class DirectoryOwner {
  private static final String MARK = "owner-";
  private static final List<String> OF_STORES =
      List.of(TieredLayout.LOCK, TieredLayout.HEADER, TieredLayout.HEADER_NEW);

  private final Medium medium;
  private final UUID store;
  private final Use use;

  /** What a directory is for. */
  private enum Use {
    POOLS("pools", "tieredPools", StoreHeader::poolPath),
    SPILLS("spills", "tieredSpillDirectory", StoreHeader::spillPath);

    private final String what;
    private final String option;

    @SuppressWarnings("ImmutableEnumChecker") // a method reference
    private final Function<StoreHeader, @Nullable String> directory;

    Use(String what, String option, Function<StoreHeader, @Nullable String> directory) {
      this.what = what;
      this.option = option;
      this.directory = directory;
    }
  }

  private DirectoryOwner(Medium medium, UUID store, Use use) {
    this.medium = medium;
    this.store = store;
    this.use = use;
  }

  /**
   * Returns the owners of the directories that a header names, and that exist.
   *
   * @param store the id to expect there
   */
  static List<DirectoryOwner> all(StoreHeader header, UUID store, Function<Path, Medium> medium) {
    List<DirectoryOwner> all = new ArrayList<>();
    for (Use use : Use.values()) {
      @Nullable String directory = use.directory.apply(header);
      if (directory != null && Files.isDirectory(Path.of(directory))) {
        all.add(new DirectoryOwner(medium.apply(Path.of(directory)), store, use));
      }
    }
    return all;
  }

  /**
   * Checks the directories of an existing store. Changes nothing.
   *
   * @param recorded the store's header
   * @param opened the header with the directories that are to be used
   * @throws StoreFormatException if something in one of them belongs to another store
   * @throws StoreDamagedException if one that the header names is empty
   */
  static void checkAll(StoreHeader recorded, StoreHeader opened, Function<Path, Medium> medium)
      throws IOException {
    for (DirectoryOwner owner : all(opened, opened.store(), medium)) {
      owner.check();
      if (owner.isRecorded(recorded)) {
        owner.checkPresent();
      }
    }
  }

  /** Returns the mark of another store among the names of files, or null. */
  static @Nullable String mark(SortedSet<String> names) {
    SortedSet<String> marks = names.tailSet(MARK);
    return marks.isEmpty() || !marks.first().startsWith(MARK) ? null : marks.first();
  }

  /** Returns the name of the mark. */
  String mark() {
    return MARK + store;
  }

  Path directory() {
    return medium.directory();
  }

  /** Opens the mark, which exists. */
  MediumFile open() throws IOException {
    return medium.open(mark());
  }

  /** Returns true if a header names the directory for this use. */
  boolean isRecorded(StoreHeader header) {
    return medium.directory().toString().equals(use.directory.apply(header));
  }

  /**
   * Checks that nothing in the directory belongs to another store. Changes nothing.
   *
   * @throws StoreFormatException if something does
   */
  void check() throws IOException {
    SortedSet<String> names = medium.list();
    @Nullable String foreign = foreign(names);
    if (foreign != null) {
      throw new StoreFormatException(
          "%s %s; the %s of the store %s need a directory that no other store uses: choose another with PmStoreOptions.%s, or, if that store is gone, delete its files there"
              .formatted(medium.directory(), foreign, use.what, store, use.option));
    }
  }

  /** Returns what shows that the directory belongs to another store, or null. */
  private @Nullable String foreign(SortedSet<String> names) throws IOException {
    for (String name : names.tailSet(MARK)) {
      if (name.startsWith(MARK) && !name.equals(mark())) {
        return "belongs to the store %s, as its file %s says"
            .formatted(name.substring(MARK.length()), name);
      }
    }
    for (String name : OF_STORES) {
      if (names.contains(name)) {
        return "is the directory of another store: it has the file " + name;
      }
    }
    if (names.contains(mark())) {
      return null;
    }
    for (String name : names) {
      @Nullable UUID found = TieredLayout.isPoolOrSpill(name) ? storeOf(name) : store;
      if (!store.equals(found)) {
        return found == null
            ? "has the file %s, which names no store".formatted(name)
            : "has the file %s of the store %s".formatted(name, found);
      }
    }
    return null;
  }

  /** Returns the id that a pool or a file of a store has at its beginning, or null. */
  private @Nullable UUID storeOf(String name) throws IOException {
    byte[] begin = new byte[TieredLayout.BEGIN];
    try (MediumFile file = medium.open(name)) {
      if (file.size() < begin.length) {
        return null;
      }
      file.read(0, begin, 0, begin.length);
    }
    return TieredLayout.isSpill(name) ? SpillLayout.store(begin) : PoolLayout.store(begin);
  }

  /**
   * Checks that a directory which the store's header names has the mark, or a file of the store.
   *
   * @throws StoreDamagedException if it has neither, as where its device is not mounted
   */
  void checkPresent() throws IOException {
    SortedSet<String> names = medium.list();
    if (!names.contains(mark()) && names.stream().noneMatch(TieredLayout::isPoolOrSpill)) {
      throw new StoreDamagedException(
          "%s has no file %s, so it is not the directory of the %s of this store. Mount its device; if it has another path now, open the store with PmStoreOptions.%s"
              .formatted(medium.directory(), mark(), use.what, use.option));
    }
  }

  /**
   * Makes the directory the store's, durably, if it is not yet.
   *
   * @throws StoreFormatException if something in it belongs to another store; nothing has changed
   */
  void claim() throws IOException {
    check();
    if (medium.list().contains(mark())) {
      return;
    }
    medium.create(mark()).close();
    try {
      medium.syncDirectory();
      check(); // another store may have claimed it at the same time
    } catch (StoreFormatException e) {
      medium.delete(mark());
      medium.syncDirectory();
      throw e;
    }
  }

  /**
   * Removes the pools and the mark of a store whose creation was interrupted.
   *
   * @param main the store's directory
   * @throws StoreFormatException if the creation was not: the header is a copy, made meanwhile
   */
  void removeUnfinished(Path main, AccessRights rights) throws IOException {
    SortedSet<String> names = medium.list();
    if (!names.contains(mark())) {
      return;
    }
    try (OwnedDirectory locked = OwnedDirectory.lock(main, this, rights)) {
      if (locked.entry() != null) {
        throw new StoreFormatException(
            "%s has the beginning of the store %s, and %s the %s of the whole one: it is a copy that was made while the store was created. Open the other copy, and delete this one"
                .formatted(main, store, medium.directory(), use.what));
      }
      if (foreign(names) == null) {
        TieredLayout.deletePools(medium);
      }
      medium.delete(mark());
      medium.syncDirectory();
    }
  }
}
