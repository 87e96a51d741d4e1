package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GroupAccess;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who can read and write the files of a store. The umask of a test process is that of any other.
 */
class FileRightsTest {
  @TempDir Path temporary;

  /** A root that can be made large. */
  @Persistent(root = "shelf")
  public static class Shelf {
    private List<byte[]> boxes = new ArrayList<>();

    public List<byte[]> getBoxes() {
      return boxes;
    }

    public void setBoxes(List<byte[]> boxes) {
      this.boxes = boxes;
    }
  }

  private static void fill(PmStore store, int megabytes) {
    for (int i = 0; i < megabytes; i++) {
      store.transaction(() -> store.root(Shelf.class).getBoxes().add(new byte[1 << 20]));
    }
  }

  /** The rights of a directory and all that is in it, and how many have them. */
  private static Map<String, Integer> rights(Path directory, boolean ofDirectories)
      throws IOException {
    while (true) {
      try {
        return tryRights(directory, ofDirectories);
      } catch (NoSuchFileException e) {
        // The store has renamed a file since the walk began.
      } catch (UncheckedIOException e) {
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e;
        }
      }
    }
  }

  private static Map<String, Integer> tryRights(Path directory, boolean ofDirectories)
      throws IOException {
    Map<String, Integer> found = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.toList()) {
        if (Files.isDirectory(path) == ofDirectories) {
          found.merge(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(path)), 1, Integer::sum);
        }
      }
    }
    return found;
  }

  private static void assertRights(Path directory, String ofDirectories, String ofFiles)
      throws IOException {
    assertEquals(List.of(ofDirectories), List.copyOf(rights(directory, true).keySet()));
    assertEquals(List.of(ofFiles), List.copyOf(rights(directory, false).keySet()));
  }

  private PmStore open(Path directory, Storage storage, GroupAccess group) {
    return PmStore.open(
        directory,
        PmStoreOptions.defaults().storage(storage).groupAccess(group).llplPoolSize(1L << 30));
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void aStoreIsItsOwnersAloneWhateverItGrowsTo(Storage storage) throws IOException {
    Path directory = temporary.resolve("new").resolve("store");
    try (PmStore store = PmStore.open(directory, PmStoreOptions.defaults().storage(storage))) {
      assertRights(directory, "rwx------", "rw-------");
      fill(store, storage == Storage.LLPL ? 36 : 18); // more than it has at first
      store.backup(temporary.resolve("backup"));
      assertRights(directory, "rwx------", "rw-------");
    }
    assertRights(directory, "rwx------", "rw-------");
    assertRights(temporary.resolve("backup"), "rwx------", "rw-------");
    assertEquals(
        PosixFilePermissions.toString(
            Files.getPosixFilePermissions(Files.createDirectory(temporary.resolve("any")))),
        PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.getParent())),
        "a missing parent is made like any directory");
  }

  @ParameterizedTest
  @EnumSource(
      value = Storage.class,
      names = {"FILE", "LLPL"})
  void theGroupGetsWhatIsAskedForAndKeepsIt(Storage storage) throws IOException {
    Map<GroupAccess, List<String>> expected =
        Map.of(
            GroupAccess.READ, List.of("rwxr-x---", "rw-r-----"),
            GroupAccess.WRITE, List.of("rwxrwx---", "rw-rw----"));
    for (Map.Entry<GroupAccess, List<String>> entry : expected.entrySet()) {
      String ofDirectory = entry.getValue().get(0);
      String ofFiles = entry.getValue().get(1);
      Path directory = temporary.resolve("store-" + entry.getKey());
      try (PmStore store = open(directory, storage, entry.getKey())) {
        assertNotNull(store);
        assertRights(directory, ofDirectory, ofFiles);
      }
      Files.delete(directory.resolve("lock"));
      // A later opening need not say so again.
      try (PmStore store = open(directory, storage, GroupAccess.NONE)) {
        fill(store, storage == Storage.LLPL ? 1 : 18);
        store.backup(temporary.resolve("backup-" + entry.getKey()));
      }
      assertRights(directory, ofDirectory, ofFiles);
      assertRights(temporary.resolve("backup-" + entry.getKey()), ofDirectory, ofFiles);
    }
  }

  @Test
  void aDirectoryThatIsThereKeepsItsRights() throws IOException {
    Path directory = Files.createDirectory(temporary.resolve("there"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (PmStore store = PmStore.open(directory)) {
      fill(store, 1);
    }
    assertRights(directory, "rwxr-xr-x", "rw-------");
  }

  @Test
  void rightsOfOthersAreNotPassedOn() throws IOException {
    Path directory = temporary.resolve("store");
    PmStore.open(directory).close();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
      }
    }
    try (PmStore store = PmStore.open(directory)) {
      store.backup(temporary.resolve("backup"));
    }
    assertRights(temporary.resolve("backup"), "rwxr-x---", "rw-r-----");
    assertTrue(rights(directory, false).containsKey("rw-r--r--"), "what is there stays as it is");
  }

  /**
   * As root may go anywhere, links that lead to each other stand for a directory without rights.
   */
  @ParameterizedTest
  @EnumSource(Storage.class)
  void noStoreIsSaidToBeMissingWhereNothingCanBeSeen(Storage storage) throws IOException {
    Files.createSymbolicLink(temporary.resolve("one"), temporary.resolve("other"));
    Files.createSymbolicLink(temporary.resolve("other"), temporary.resolve("one"));
    Path directory = temporary.resolve("one").resolve("store");
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage);
    List<Executable> uses = new ArrayList<>();
    uses.add(() -> PmStore.open(directory, options).close());
    uses.add(() -> PmStore.verify(directory, options));
    if (storage != Storage.LLPL) { // which is never opened read-only
      uses.add(() -> PmStore.open(directory, options.readOnly(true)).close());
      uses.add(() -> PmStore.dryRun(directory, options, Shelf.class));
    }
    for (Executable use : uses) {
      String message = String.valueOf(assertThrows(PmStoreException.class, use).getMessage());
      assertTrue(
          message.startsWith("cannot see whether there is a store in " + directory), message);
    }
  }
}
