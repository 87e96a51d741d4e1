package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.ReadOnlyEngine;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The heap's file is cut short while it is open: an exception for everybody, and no crash. In a
 * process of its own, so that a crash would be seen as one.
 */
@Timeout(120)
class ShrunkHeapTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int OBJECTS = 4_000;
  private static final int IN_TRANSACTION = 50;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "FILE, GETTER",
    "FILE, TRANSACTION",
    "FILE, SNAPSHOT",
    "FILE, SETTER",
    "FILE, CLOSE",
    "PERSISTENT_MEMORY, GETTER",
    "PERSISTENT_MEMORY, TRANSACTION",
    "PERSISTENT_MEMORY, SETTER",
    "PERSISTENT_MEMORY, CLOSE",
    "READ_ONLY, GETTER",
    "READ_ONLY, TRANSACTION",
  })
  void theStoreFailsAndNotTheProcess(String storage, String meeting) {
    new ChildJvm(Child.class, directory.resolve("store"), storage, meeting).run();
  }

  /** The program. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Path store = Path.of(args[0]);
      boolean readOnly = args[1].equals("READ_ONLY");
      Storage storage = readOnly ? Storage.FILE : Storage.valueOf(args[1]);
      long first;
      try (Engine engine = open(store, storage)) {
        Heap heap = heap(engine);
        first = fill(heap);
        heap.close();
      }
      Heap heap = heap(readOnly ? ReadOnlyEngine.open(store) : open(store, storage));
      if (args[2].equals("CLOSE")) {
        heap.putLong(first, FIELD, 1); // so that a page is in memory that will be written
      }
      cut(store);
      switch (args[2]) {
        case "GETTER" -> meet(() -> sum(heap, first));
        case "TRANSACTION" -> meet(() -> heap.transaction(() -> sum(heap, first)));
        case "SNAPSHOT" -> meet(() -> heap.snapshot(() -> sum(heap, first)));
        case "SETTER" -> meet(() -> write(heap, first));
        default -> {}
      }
      if (!args[2].equals("CLOSE")) {
        for (Runnable any :
            List.<Runnable>of(
                () -> heap.getLong(first, FIELD),
                () -> heap.transaction(() -> heap.getLong(first, FIELD)),
                () -> heap.directory().root("any"))) {
          StoreFailedException e = assertThrows(StoreFailedException.class, any::run);
          assertTrue(e.getMessage().contains(store.toString()), e.getMessage());
        }
      }
      try {
        heap.close();
      } catch (StoreFailedException e) {
        assertEquals("CLOSE", args[2]);
      }
    }

    private static Engine open(Path store, Storage storage) {
      return MappedEngine.open(
          store, PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20));
    }

    private static Heap heap(Engine engine) {
      return new Heap(engine, Durability.SYNC, h -> new NoObjects());
    }

    /** Objects of a page each, one behind the other; returns the last one, which refers to it. */
    private static long fill(Heap heap) {
      long last = 0;
      for (int i = 0; i < OBJECTS; i += IN_TRANSACTION) {
        long next = last;
        last = heap.transaction(() -> prepend(heap, next));
      }
      return last;
    }

    private static long prepend(Heap heap, long next) {
      long first = next;
      for (int i = 0; i < IN_TRANSACTION; i++) {
        long object = heap.allocate(SHAPE, 4096);
        heap.putLong(object, FIELD, first);
        first = object;
      }
      return first;
    }

    private static void cut(Path store) throws IOException {
      try (FileChannel heap = FileChannel.open(store.resolve("heap"), StandardOpenOption.WRITE)) {
        heap.truncate(8192);
      }
    }

    private static long sum(Heap heap, long first) {
      long count = 0;
      for (int round = 0; round < 100; round++) {
        for (long at = first; at != 0; at = heap.getLong(at, FIELD)) {
          count++;
        }
      }
      return count;
    }

    private static void write(Heap heap, long first) {
      for (int i = 0; i < 100; i++) {
        heap.putLong(first, FIELD, i);
      }
    }

    /** What meets the fault first is told; the error may come late, and then as it is. */
    private static void meet(Runnable access) {
      Throwable met = assertThrows(Throwable.class, access::run);
      for (int i = 0; i < 100 && met instanceof InternalError; i++) {
        System.out.println("the error came as it is: " + met);
        met = assertThrows(Throwable.class, access::run);
      }
      assertEquals(StoreFailedException.class, met.getClass(), met.toString());
    }
  }
}
