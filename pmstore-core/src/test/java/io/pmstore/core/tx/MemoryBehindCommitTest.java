package io.pmstore.core.tx;

import io.pmstore.Durability;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Memory ends behind a commit: the transaction has happened, and its objects keep their space. */
class MemoryBehindCommitTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int SMALL = 64;
  private static final int LARGE = 3 << 20;

  /** Fills its Java heap when a commit has ended. */
  static final class Program {
    private static @Nullable List<byte[]> filler;

    private Program() {}

    public static void main(String[] args) {
      Heap heap = new Heap(new ParallelEngine(), Durability.SYNC, h -> new NoObjects());
      long[] object = new long[1];
      try {
        makeObjects(heap, object);
      } catch (OutOfMemoryError e) {
        filler = null; // its commit has happened all the same
      }
      filler = null;
      for (int i = 0; i < 100; i++) {
        heap.transaction(
            () -> {
              long other = heap.allocate(SHAPE, SMALL);
              heap.putLong(other, FIELD, 7);
              check(other != object[0], "the space of an object was given to another one");
              return other;
            });
      }
      check(heap.getLong(object[0], FIELD) == 42, "an object was overwritten");
    }

    private static void makeObjects(Heap heap, long[] object) {
      heap.transaction(
          () -> {
            long large = heap.allocate(SHAPE, LARGE); // its array is too large to be kept
            heap.putLong(large, FIELD, 1);
            object[0] = heap.allocate(SHAPE, SMALL);
            heap.putLong(object[0], FIELD, 42);
            heap.onCommit(Program::fill);
            return object[0];
          });
    }

    private static void check(boolean holds, String message) {
      if (!holds) {
        throw new AssertionError(message);
      }
    }

    private static void fill() {
      List<byte[]> arrays = new ArrayList<>(1 << 20);
      for (int size = 1 << 20; size > 0; size /= 2) {
        try {
          while (true) {
            arrays.add(new byte[size]);
          }
        } catch (OutOfMemoryError e) {
          filler = arrays; // smaller ones may fit
        }
      }
    }
  }

  @Test
  void theSpaceOfItsObjectsStaysInUse() throws Exception {
    new ChildJvm(Program.class).withOptions("-Xmx64m", "-XX:+UseSerialGC").run();
  }
}
