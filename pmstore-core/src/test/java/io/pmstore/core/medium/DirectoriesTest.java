package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories whose names a power cut cannot take, whichever process has made them. */
class DirectoriesTest {
  @TempDir Path temporary;

  @Test
  void afterAKillAtAnyMomentTheNextProcessMakesAllNamesDurable() throws IOException {
    int kills = 0;
    while (namesAreDurableAfterKill(
        Files.createDirectory(temporary.resolve("run" + kills)), kills)) {
      kills++;
    }
    assertEquals(4, kills, "a sync for the directory that was there, and for each new one");
  }

  /** Returns whether the process was killed. */
  private static boolean namesAreDurableAfterKill(Path there, int syncs) throws IOException {
    Path a = there.resolve("a");
    Path b = a.resolve("b");
    Path store = b.resolve("store");
    try (DurableNames names = new DurableNames(there.getParent(), there, a, b)) {
      names.killAfter(syncs);
      boolean killed = false;
      try {
        AccessRights.OWNER.createDirectories(store);
      } catch (IOException e) {
        killed = true;
      }
      names.restart();
      AccessRights.OWNER.createDirectories(store);
      for (Path each : List.of(there, a, b, store)) {
        // The process that was not killed has seen to the parents of what it found.
        assertTrue(names.has(each), each + " is lost after " + syncs + " syncs and a kill");
      }
      return killed;
    }
  }

  @Test
  void ofALinkTheNameOfTheDirectoryIsMadeDurable() throws IOException {
    Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    Path store = Files.createDirectory(elsewhere.resolve("store"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), store);
    try (DurableNames names = new DurableNames(elsewhere)) {
      Directories.create(link);
      assertTrue(names.has(store));
    }
  }

  @Test
  void aParentMayBeReachedByALink() throws IOException {
    Path there = Files.createDirectory(temporary.resolve("there"));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), there);
    Path store = Files.createDirectory(link.resolve("store"));
    try (DurableNames names = new DurableNames(link)) {
      assertFalse(names.has(store));
      Directories.create(store);
      assertTrue(names.has(store));
    }
  }

  @Test
  void aParentThatTheProcessCannotReadIsNoFault() throws IOException {
    Path parent = Files.createDirectory(temporary.resolve("parent"));
    Path store = Files.createDirectory(parent.resolve("store"));
    Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("-wx------"));
    try {
      assumeFalse(Files.isReadable(parent), "root may read everything");
      Directories.create(store);
      Directories.create(parent.resolve("new"));
    } finally {
      Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {NativeCalls.EACCES, NativeCalls.EPERM})
  void aParentThatTheProcessMayNotSyncIsNoFault(int errno) throws IOException {
    Path store = temporary.resolve("store");
    whileSyncsFail(
        errno,
        () -> {
          Directories.create(store);
          Directories.create(store);
        });
    assertTrue(Files.isDirectory(store));
  }

  @Test
  void aParentWhoseSyncFailsOtherwiseIsAFault() throws IOException {
    Path store = temporary.resolve("store");
    Executable create = () -> Directories.create(store);
    whileSyncsFail(NativeCalls.EIO, () -> assertThrows(MediumException.class, create));
    Directories.create(store);
    whileSyncsFail(NativeCalls.EIO, () -> assertThrows(MediumException.class, create));
  }

  /** An action that makes directories. */
  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private static void whileSyncsFail(int errno, Action action) throws IOException {
    Directories.Sync real = Directories.SYNC.get();
    Directories.SYNC.set(
        directory -> {
          throw new MediumException("opening " + directory, errno);
        });
    try {
      action.run();
    } finally {
      Directories.SYNC.set(real);
    }
  }

  @Test
  void theRootDirectoryHasNoName() throws IOException {
    Directories.create(Path.of("/"));
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.createFile(temporary.resolve("file"));
    assertThrows(IOException.class, () -> Directories.create(file.resolve("store")));
    Path link = Files.createSymbolicLink(temporary.resolve("link"), Path.of("nowhere"));
    assertThrows(FileAlreadyExistsException.class, () -> Directories.create(link));
  }

  @Test
  void aTreeIsDeletedAndWhatItsLinksLeadToIsKept() throws IOException {
    Path kept = Files.createFile(temporary.resolve("kept"));
    Path tree = temporary.resolve("tree");
    Directories.create(tree.resolve("a/b"));
    Files.createFile(tree.resolve("a/file"));
    Files.createSymbolicLink(tree.resolve("a/link"), kept);
    Files.createSymbolicLink(tree.resolve("a/links"), temporary);
    Directories.delete(tree);
    assertFalse(Files.exists(tree));
    assertTrue(Files.exists(kept));
    Directories.delete(tree);
  }
}
