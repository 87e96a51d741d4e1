package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.header.HeapHeaderLayout;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Directories with wrong contents: each is refused with its own exception and left unchanged. */
class BadFilesTest extends StoreTest {
  /** What happens to the directory of a store that was closed, and what opening it then says. */
  enum Damage {
    HEAP_EMPTY(StoreDamagedException.class, "heap has 0 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("heap"), 0);
      }
    },
    HEAP_INSIDE_HEADER(StoreDamagedException.class, "heap has 8191 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("heap"), 8191);
      }
    },
    HEAP_HEADER_ONLY(StoreDamagedException.class, "heap has 8192 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("heap"), 8192);
      }
    },
    HEAP_ONE_BYTE_SHORT(StoreDamagedException.class, "heap has 524287 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("heap"), StoreLayout.HEAP_MIN - 1);
      }
    },
    HEAP_OTHER_MAGIC(StoreFormatException.class, "heap starts with the bytes") {
      @Override
      void make(Path store) throws IOException {
        writeTo(store.resolve("heap"), 0, (byte) 'S', (byte) 'Q');
        writeTo(store.resolve("heap"), 4096, (byte) 'S', (byte) 'Q');
      }
    },
    HEAP_ZEROED_HEADER(StoreFormatException.class, "heap starts with the bytes 0000000000000000") {
      @Override
      void make(Path store) throws IOException {
        writeTo(store.resolve("heap"), 0, new byte[8192]);
      }
    },
    HEAP_NEWER(StoreFormatException.class, "format version 2; this program knows version 1") {
      @Override
      void make(Path store) throws IOException {
        for (int copy = 0; copy < 8192; copy += 4096) {
          byte[] bytes = readFrom(store.resolve("heap"), copy, 4096);
          bytes[HeapHeaderLayout.VERSION] = 2;
          CRC32C crc = new CRC32C();
          crc.update(bytes, 0, HeapHeaderLayout.CHECKSUM);
          for (int i = 0; i < 4; i++) {
            bytes[HeapHeaderLayout.CHECKSUM + i] = (byte) (crc.getValue() >>> 8 * i);
          }
          writeTo(store.resolve("heap"), copy, bytes);
        }
      }
    },
    HEAP_MISSING(StoreDamagedException.class, "no file 'heap'") {
      @Override
      void make(Path store) throws IOException {
        Files.delete(store.resolve("heap"));
      }
    },
    HEAP_A_DIRECTORY(PmStoreException.class, "heap") {
      @Override
      void make(Path store) throws IOException {
        Files.delete(store.resolve("heap"));
        Files.createDirectory(store.resolve("heap"));
      }
    },
    LOG_MISSING(StoreDamagedException.class, "no file 'log-1'") {
      @Override
      void make(Path store) throws IOException {
        Files.delete(store.resolve("log-1"));
      }
    },
    LOG_EMPTY(StoreDamagedException.class, "log-0 has 0 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("log-0"), 0);
      }
    },
    LOG_SHORT(StoreDamagedException.class, "log-1 has 1048575 bytes") {
      @Override
      void make(Path store) throws IOException {
        truncate(store.resolve("log-1"), (1 << 20) - 1);
      }
    },
    LOG_LONG(StoreDamagedException.class, "log-1 has 1048577 bytes") {
      @Override
      void make(Path store) throws IOException {
        writeTo(store.resolve("log-1"), 1 << 20, (byte) 1);
      }
    },
    LOG_FOREIGN(StoreDamagedException.class, "log-0 is not the store's log: it starts with") {
      @Override
      void make(Path store) throws IOException {
        writeTo(store.resolve("log-0"), 0, (byte) 'x');
      }
    },
    LOG_HEADER_FLIPPED(
        StoreDamagedException.class, "log-0 is not the store's log: its header's checksum") {
      @Override
      void make(Path store) throws IOException {
        writeTo(store.resolve("log-0"), 2000, (byte) 1);
      }
    },
    LOGS_SWAPPED(StoreDamagedException.class, "it is segment 1 of") {
      @Override
      void make(Path store) throws IOException {
        Files.move(store.resolve("log-0"), store.resolve("x"));
        Files.move(store.resolve("log-1"), store.resolve("log-0"));
        Files.move(store.resolve("x"), store.resolve("log-1"));
      }
    },
    LOG_OF_ANOTHER_STORE(StoreDamagedException.class, "of store") {
      @Override
      void make(Path store) throws IOException {
        Path other = store.resolveSibling("other");
        MappedEngine.open(other, small(Storage.FILE)).close();
        Files.copy(
            other.resolve("log-0"), store.resolve("log-0"), StandardCopyOption.REPLACE_EXISTING);
      }
    },
    FOREIGN(StoreFormatException.class, "holds [letter.txt] and no file 'heap'") {
      @Override
      void make(Path store) throws IOException {
        remove(store);
        Files.createDirectory(store);
        Files.writeString(store.resolve("letter.txt"), "Dear Sir");
      }
    },
    NEW_HEAP_WITHOUT_A_LOCK(StoreFormatException.class, "'heap.new' without 'lock'") {
      @Override
      void make(Path store) throws IOException {
        remove(store);
        Files.createDirectory(store);
        Files.writeString(store.resolve("heap.new"), "mine");
      }
    },
    A_FILE(StoreFormatException.class, "is not a directory") {
      @Override
      void make(Path store) throws IOException {
        remove(store);
        Files.writeString(store, "no directory");
      }
    };

    final Class<? extends PmStoreException> expected;
    final String message;

    Damage(Class<? extends PmStoreException> expected, String message) {
      this.expected = expected;
      this.message = message;
    }

    abstract void make(Path store) throws IOException;

    private static void truncate(Path file, long size) throws IOException {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBadDirectoryIsRefused(Damage damage) throws IOException {
    Path store = closedStore();
    damage.make(store);
    Map<Path, Long> before = fingerprints(store);
    for (Storage storage : new Storage[] {Storage.FILE, Storage.PERSISTENT_MEMORY, Storage.AUTO}) {
      PmStoreException e =
          assertThrows(PmStoreException.class, () -> MappedEngine.open(store, small(storage)));
      assertEquals(damage.expected, e.getClass(), e.toString());
      assertTrue(e.getMessage().contains(damage.message), e.getMessage());
      assertTrue(e.getMessage().contains(store.toString()), e.getMessage());
    }
    PmStoreException e =
        assertThrows(PmStoreException.class, () -> ReadOnlyEngine.open(store), "for reading");
    assertEquals(damage.expected, e.getClass(), e.toString());
    assertTrue(e.getMessage().contains(damage.message), e.getMessage());
    assertEquals(before, fingerprints(store), "nothing was changed");
    if (Files.exists(store.resolve(StoreLayout.LOCK))) {
      StoreLock.acquire(store).release(); // nothing was left locked
    }
  }

  @Test
  void aLinkToNothingIsNamed() throws IOException {
    Path nothing = directory("nothing");
    Files.delete(nothing);
    Path link = Files.createSymbolicLink(nothing.resolveSibling("link"), nothing);
    StoreFormatException e =
        assertThrows(
            StoreFormatException.class, () -> MappedEngine.open(link, small(Storage.FILE)));
    assertTrue(
        String.valueOf(e.getMessage()).startsWith(link + " is a symbolic link to a path where"),
        e.getMessage());
  }

  @Test
  void aHeapThatIsLongerThanRecordedIsTheRestOfAnInterruptedGrowth() throws IOException {
    Path store = closedStore();
    byte[] junk = new byte[100];
    junk[7] = 7;
    writeTo(store.resolve("heap"), HeapMemory.EXTENT_SIZE + 50, junk);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      assertEquals(HeapMemory.EXTENT_SIZE, engine.memory().size());
      engine.grow(HeapMemory.EXTENT_SIZE + 1);
      for (long at = HeapMemory.EXTENT_SIZE; at < HeapMemory.EXTENT_SIZE + 4096; at += 8) {
        assertEquals(0, engine.memory().getLong(at));
      }
      assertEquals(42, engine.memory().getLong(START));
    }
  }

  @Test
  void otherFilesBesideAStoreAreLeftAlone() throws IOException {
    Path store = closedStore();
    Files.writeString(store.resolve("README"), "our orders");
    MappedEngine.open(store, small(Storage.FILE)).close();
    assertEquals("our orders", Files.readString(store.resolve("README")));
  }

  @Test
  void aFreshFileSystemIsAnEmptyDirectory() throws IOException {
    Path store = directory("mounted");
    Files.createDirectory(store.resolve("lost+found"));
    MappedEngine.open(store, small(Storage.FILE)).close();
    MappedEngine.open(store, small(Storage.FILE)).close();
    Files.delete(store.resolve("lost+found"));
  }

  @Test
  void aPlaceThatCannotBeWrittenIsNamed() {
    Path nowhere = Path.of("/proc/pmstore-test/store");
    PmStoreException e =
        assertThrows(PmStoreException.class, () -> MappedEngine.open(nowhere, small(Storage.FILE)));
    assertTrue(e.getMessage().contains(nowhere.toString()), e.getMessage());
  }

  @Test
  void anotherEnginesStorageIsRefused() {
    Path store = directory("llpl");
    PmStoreOptions options = small(Storage.LLPL);
    assertThrows(IllegalArgumentException.class, () -> MappedEngine.open(store, options));
  }

  private Path closedStore() {
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      WriteSet writes = new WriteSet();
      writes.putLong(START, 42);
      engine.commit(writes);
    }
    return store;
  }

  private static Map<Path, Long> fingerprints(Path store) throws IOException {
    Map<Path, Long> result = new TreeMap<>();
    try (var files = Files.walk(store)) {
      for (Path file : files.filter(f -> Files.isRegularFile(f)).toList()) {
        if (file.endsWith(StoreLayout.LOCK)) {
          continue; // names its last holder
        }
        CRC32C crc = new CRC32C();
        crc.update(Files.readAllBytes(file));
        result.put(file, crc.getValue() << 32 | Files.size(file));
      }
    }
    return result;
  }
}
