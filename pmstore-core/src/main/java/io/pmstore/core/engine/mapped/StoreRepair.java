package io.pmstore.core.engine.mapped;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.RepairReport;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.VerificationReport;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.engine.mapped.files.StoreDirectory;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.FileFault;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.engine.mapped.sums.PageSumsRebuild;
import io.pmstore.core.log.LogScanner;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.ReadOnlyMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Recreates lost files of a closed store: the page checksums, and segments of the log. Holds the
 * store's lock until it is closed. Not thread-safe.
 *
 * <p>The new files are created under names that the store ignores, and can be read through an
 * engine. They get their final names only when all of them are durable. So a crash at any moment
 * leaves a store that lacks the same files, or fewer.
 */
public final class StoreRepair implements EngineRepair {
  private final Medium medium;
  private final StoreLock lock;
  private final HeapHeader header;
  private final List<Lost> lost;
  private final List<String> made = new ArrayList<>();
  private @Nullable PageSumsRebuild sums;
  private @Nullable ReadOnlyEngine engine;

  private StoreRepair(Medium medium, StoreLock lock, HeapHeader header, List<Lost> lost) {
    this.medium = medium;
    this.lock = lock;
    this.header = header;
    this.lost = lost;
  }

  /**
   * A file to recreate.
   *
   * @param exists whether there is a damaged file in its place
   */
  private record Lost(String name, FileFault fault, boolean exists) {}

  /**
   * Looks for lost files; changes nothing.
   *
   * @return a repair, if the store seems repairable so far
   * @throws io.pmstore.StoreLockedException if this or another process has the store open
   * @throws StoreDamagedException if it was not closed, or something is lost or damaged that cannot
   *     be recreated
   * @throws StoreFormatException if there is no store, or one of a newer format
   * @throws PmStoreException if it was not closed and no file is lost, or if a file cannot be read
   */
  public static StoreRepair open(Path directory) {
    return open(directory, UnaryOperator.identity());
  }

  /**
   * Looks for lost files.
   *
   * @param wrap puts a test's medium around the real one
   */
  static StoreRepair open(Path directory, UnaryOperator<Medium> wrap) {
    StorePlatform.require(directory);
    try {
      requireHeap(directory);
      readHeader(directory); // before a lock file is created there
      AccessRights rights = StoreOpener.rights(directory, GroupAccess.NONE);
      StoreLock lock = StoreLock.acquire(directory, rights);
      return orClose(
          lock::release,
          () -> {
            Medium medium = wrap.apply(new FileMedium(directory, rights));
            HeapHeader header = readHeader(directory);
            List<Lost> lost = find(medium, header);
            requireClosed(directory, header, lost);
            return new StoreRepair(medium, lock, header, lost);
          });
    } catch (IOException e) {
      throw cannotRepair(directory, e);
    }
  }

  private static void requireHeap(Path directory) throws IOException {
    if (StorePlatform.isDirectory(directory)) {
      SortedSet<String> names = new FileMedium(directory).list();
      if (names.contains(StoreLayout.HEAP) || StoreDirectory.holdsStore(directory, names)) {
        return;
      }
    }
    throw new StoreFormatException(
        "there is no store in %s to be repaired; check the path".formatted(directory));
  }

  private static HeapHeader readHeader(Path directory) throws IOException {
    try (MediumFile heap = new ReadOnlyMedium(directory).open(StoreLayout.HEAP)) {
      HeapHeader header = HeapHeaderFile.read(heap, directory).current();
      StoreFiles.requireWhole(heap, directory, header);
      return header;
    }
  }

  private static List<Lost> find(Medium medium, HeapHeader header) throws IOException {
    SortedSet<String> names = medium.list();
    List<Lost> lost = new ArrayList<>();
    for (String name : StoreLayout.PARTS) {
      FileFault fault = names.contains(name) ? findFault(medium, header, name) : FileFault.MISSING;
      if (fault != null && fault.misplaced()) {
        throw fault.refusal(medium.directory().resolve(name), header.closed());
      }
      if (fault != null) {
        lost.add(new Lost(name, fault, names.contains(name)));
      }
    }
    return lost;
  }

  private static @Nullable FileFault findFault(Medium medium, HeapHeader header, String name)
      throws IOException {
    try (MediumFile file = medium.open(name)) {
      return name.equals(StoreLayout.SUMS)
          ? new PageSums(file).findFault(header)
          : FileFault.ofSegment(file, header.store(), StoreLayout.logNumber(name));
    } catch (MediumException e) {
      if (e.isDeviceError()) {
        return new FileFault("cannot be read: " + e.getMessage(), false);
      }
      throw e;
    }
  }

  private static void requireClosed(Path directory, HeapHeader header, List<Lost> lost) {
    if (header.closed()) {
      return;
    }
    if (lost.isEmpty()) {
      throw new PmStoreException(
          "the store in %s was not closed, and no file is lost; there is nothing to repair: PmStore.open recovers it from its log"
              .formatted(directory));
    }
    throw new StoreDamagedException(
        "the store in %s was not closed, so its log may hold transactions that are nowhere else: only a store that was closed can be repaired. %s; put the store's own file back, or restore the directory from a backup. Nothing was changed"
            .formatted(directory, describe(directory, lost)));
  }

  private static String describe(Path directory, List<Lost> lost) {
    return String.join(
        "; ",
        lost.stream()
            .map(file -> directory.resolve(file.name) + " " + file.fault.found())
            .toList());
  }

  private static PmStoreException cannotRepair(Path directory, IOException e) {
    return e instanceof MediumException medium && medium.noRoom()
        ? new StoreFullException(
            "there is no room to repair the store in %s: %s; free some space and repair it again"
                .formatted(directory, e.getMessage()),
            e)
        : new PmStoreException(
            "the store in %s cannot be repaired: %s; all files in it must be readable and writable"
                .formatted(directory, e),
            e);
  }

  @Override
  public Engine prepare() {
    try {
      dropLeftOvers();
      Map<String, String> others = new HashMap<>();
      for (Lost file : lost) {
        String name = StoreLayout.newName(file.name);
        made.add(name);
        if (file.name.equals(StoreLayout.SUMS)) {
          makeSums(name, file.exists);
        } else {
          StoreFiles.makeSegment(
                  medium,
                  name,
                  header.store(),
                  StoreLayout.logNumber(file.name),
                  StoreLayout.firstSegmentSize(header.segmentSize()))
              .close();
        }
        others.put(file.name, name);
      }
      ReadOnlyEngine opened = start(others);
      engine = opened;
      return opened;
    } catch (IOException e) {
      throw cannotRepair(medium.directory(), e);
    }
  }

  private void dropLeftOvers() throws IOException {
    for (String part : StoreLayout.PARTS) {
      medium.deleteIfThere(StoreLayout.newName(part));
    }
  }

  private void makeSums(String name, boolean exists) throws IOException {
    try (MediumFile heap = medium.open(StoreLayout.HEAP);
        MediumFile older = exists ? medium.open(StoreLayout.SUMS) : null;
        MediumFile file = medium.create(name)) {
      PageSumsRebuild rebuild = new PageSumsRebuild(heap, older);
      rebuild.write(file, header, System.currentTimeMillis());
      sums = rebuild;
    }
  }

  private ReadOnlyEngine start(Map<String, String> others) throws IOException {
    StoreFiles files = new StoreFiles(new ReadOnlyMedium(medium.directory(), others));
    return orClose(files, () -> start(files));
  }

  private ReadOnlyEngine start(StoreFiles files) throws IOException {
    LogScanner.Evidence later =
        LogScanner.findDamage(
            files.logs().bytes(), header.storeId(), header.epoch(), header.checkpoint());
    if (later != null) {
      throw new StoreDamagedException(
          "%s cannot be repaired: %s has at %d a record of epoch %d that the heap, which was closed in epoch %d, does not know: the heap is older than its log. Restore all of the directory from one backup. Nothing was changed"
              .formatted(
                  medium.directory(),
                  StoreLayout.log(later.segment()),
                  later.offset(),
                  later.epoch(),
                  header.epoch()));
    }
    return ReadOnlyEngine.startForRepair(lock, files);
  }

  @Override
  public boolean mustVerify() {
    return sums != null;
  }

  @Override
  public StoreDamagedException unsound(VerificationReport found) {
    return new StoreDamagedException(
        "%s cannot be repaired: %s. Repair needs the rest of the store to be sound, and a verification found %d faults, the first ones:\n  %s\nNothing was changed. Restore the directory from a backup"
            .formatted(
                medium.directory(),
                describe(medium.directory(), lost),
                found.faultCount(),
                String.join(
                    "\n  ",
                    found.faults().stream()
                        .limit(5)
                        .map(VerificationReport.Fault::toString)
                        .toList())));
  }

  @Override
  public RepairReport finish() {
    Path directory = medium.directory();
    try {
      List<RepairReport.Replaced> replaced = new ArrayList<>();
      for (Lost file : lost) {
        replaced.add(
            new RepairReport.Replaced(
                directory.resolve(file.name),
                file.fault.found(),
                file.exists ? Optional.of(directory.resolve(keep(file.name))) : Optional.empty()));
      }
      if (!lost.isEmpty()) {
        // Durable before the renames below: a rename over an old file would destroy it.
        medium.syncDirectory();
      }
      for (Lost file : lost) {
        medium.rename(StoreLayout.newName(file.name), file.name);
        made.remove(StoreLayout.newName(file.name));
      }
      if (!lost.isEmpty()) {
        medium.syncDirectory();
      }
      PageSumsRebuild rebuilt = sums;
      return new RepairReport(
          directory,
          replaced,
          rebuilt == null ? 0 : rebuilt.kept(),
          rebuilt == null ? 0 : rebuilt.computed());
    } catch (IOException e) {
      throw cannotRepair(directory, e);
    }
  }

  /** Renames an old file so that the store ignores it; returns the new name. */
  private String keep(String name) throws IOException {
    SortedSet<String> names = medium.list();
    int number = 1;
    while (names.contains(StoreLayout.replacedName(name, number))) {
      number++;
    }
    String kept = StoreLayout.replacedName(name, number);
    medium.rename(name, kept);
    return kept;
  }

  @Override
  public void close() {
    try {
      for (String name : made) {
        medium.deleteIfThere(name);
      }
    } catch (IOException e) {
      throw new PmStoreException(
          "%s: files that a repair has made cannot be deleted: %s; delete %s"
              .formatted(medium.directory(), e, made),
          e);
    } finally {
      if (engine == null) {
        lock.release();
      } else {
        engine.close(); // releases the lock too
      }
    }
  }
}
