package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFullException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Fills a disk with a store. The second of two processes finds what the first left when it was
 * stopped on a full disk.
 */
public final class FullDiskChild {
  private static final int SHAPE = 3;
  private static final int COUNT = 8;
  private static final int NEXT = 8;
  private static final int SIZE = 256 << 10;
  private static final long BALLAST = 64 << 20;
  private static final int WRITES = 20_000;
  private static final Durability QUICK = Durability.relaxed(Duration.ofMillis(10));

  private final Path disk;
  private final Path notes;
  private final PmStoreOptions options;
  private final boolean delete;
  private Heap heap;
  private long root;

  private FullDiskChild(Path disk, Path notes, Storage storage, boolean delete) {
    this.disk = disk;
    this.notes = notes;
    this.options = StoreTest.small(storage);
    this.delete = delete;
  }

  /**
   * The program.
   *
   * @param args the disk, a file elsewhere, the storage, how space is freed, which process this is
   */
  public static void main(String[] args) throws Exception {
    FullDiskChild child =
        new FullDiskChild(
            Path.of(args[0]), Path.of(args[1]), Storage.valueOf(args[2]), args[3].equals("delete"));
    if (args[4].equals("1")) {
      child.first();
      Runtime.getRuntime().halt(0); // nothing is closed
    }
    child.second();
  }

  private Path store() {
    return disk.resolve("store");
  }

  private Path ballast() {
    return disk.resolve("ballast");
  }

  private void open() {
    heap = new Heap(MappedEngine.open(store(), options), Durability.SYNC, h -> new NoObjects());
    root = heap.directory().root("root");
  }

  private void first() throws Exception {
    if (delete) {
      aNewStoreNeedsRoom();
    }
    open();
    heap.transaction(
        () -> {
          root = heap.allocate(SHAPE, 24);
          heap.directory().setRoot("root", root);
          return null;
        });
    long stored = fill(0);
    assertTrue(stored > 20, stored + " objects fit");
    check(stored);
    for (int i = 0; i < 3; i++) {
      StoreFullException e = assertThrows(StoreFullException.class, this::add);
      assertTrue(e.getMessage().contains(store().toString()), e.getMessage());
      assertTrue(e.getMessage().contains("free some space"), e.getMessage());
    }
    // What needs no room goes on, past the ends of log segments.
    for (int i = 1; i < WRITES; i++) {
      long written = i;
      heap.transaction(
          QUICK,
          () -> {
            heap.putLong(root, 16, written);
            return null;
          });
    }
    heap.putLong(root, 16, WRITES);
    assertEquals(WRITES, heap.getLong(root, 16));
    check(stored);

    free();
    for (int i = 0; i < 20; i++) {
      add();
    }
    stored += 20;
    check(stored);
    if (delete) {
      stored = fill(stored);
    }
    check(stored);
    Files.writeString(notes, Long.toString(stored));
  }

  private void second() throws Exception {
    long stored = Long.parseLong(Files.readString(notes));
    open(); // recovers, without any room
    check(stored);
    assertEquals(WRITES, heap.getLong(root, 16));
    if (delete) {
      assertThrows(StoreFullException.class, this::add);
      check(stored);
    }
    heap.putLong(root, 16, 7);
    heap.close(); // without any room
    open();
    check(stored);
    assertEquals(7, heap.getLong(root, 16));
    heap.close();
  }

  private void aNewStoreNeedsRoom() throws IOException {
    write(ballast(), BALLAST);
    Path filler = disk.resolve("filler");
    assertThrows(IOException.class, () -> write(filler, Long.MAX_VALUE));
    StoreFullException e =
        assertThrows(StoreFullException.class, () -> MappedEngine.open(store(), options));
    assertTrue(e.getMessage().contains("free some space"), e.getMessage());
    Files.delete(filler); // then the same directory will do
  }

  private static void write(Path file, long size) throws IOException {
    byte[] block = new byte[1 << 16];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long i = 0; i < size; i += block.length) {
        out.write(block);
      }
    }
  }

  /** Adds objects until there is no room; returns how many there are then. */
  private long fill(long stored) {
    while (true) {
      try {
        add();
        stored++;
      } catch (StoreFullException e) {
        return stored;
      }
    }
  }

  private void add() {
    heap.transaction(
        () -> {
          long count = heap.getLong(root, COUNT) + 1;
          heap.putLong(root, COUNT, count);
          long made = heap.allocate(SHAPE, SIZE);
          heap.putLong(made, NEXT, heap.directory().root("last"));
          heap.putLong(made, SIZE - 8, count);
          heap.directory().setRoot("last", made);
          return null;
        });
  }

  private void check(long stored) {
    assertEquals(stored, heap.getLong(root, COUNT));
    long expected = stored;
    for (long at = heap.directory().root("last"); at != 0; at = heap.getLong(at, NEXT)) {
      assertEquals(expected--, heap.getLong(at, SIZE - 8));
    }
    assertEquals(0, expected);
    assertEquals(stored, heap.transaction(() -> heap.getLong(root, COUNT)));
  }

  private void free() throws Exception {
    if (delete) {
      Files.delete(ballast());
      return;
    }
    int exit =
        new ProcessBuilder(
                "prlimit",
                "--pid",
                Long.toString(ProcessHandle.current().pid()),
                "--fsize=unlimited:unlimited")
            .inheritIO()
            .start()
            .waitFor();
    assertEquals(0, exit);
  }
}
