package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.SnapshotEndedException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import org.junit.jupiter.api.Test;

/**
 * A snapshot of a replica is open while records change more than its Java heap can keep. The JVM,
 * which exits at an {@link OutOfMemoryError}, ends the snapshot, and the replica goes on.
 */
class ReplicaMemoryTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int SIZE = 4096;
  private static final int OBJECTS = 30_000;
  private static final int EACH = 300; // objects of a transaction

  /** Applies the records of one heap to another one. */
  static final class Program {
    private static final Heap COPY =
        new Heap(new ParallelEngine(), Durability.SYNC, _ -> new NoObjects());
    private static final Heap SOURCE =
        new Heap(
            new ParallelEngine() {
              @Override
              protected void appended(WriteSet record) {
                if (COPY.isReadOnly()) {
                  COPY.replica().apply(WriteSet.decode(record.encode()));
                }
              }
            },
            Durability.SYNC,
            _ -> new NoObjects());

    private static final long[] OBJECT = new long[OBJECTS];

    private Program() {}

    public static void main(String[] args) {
      COPY.replica().begin();
      change(0);
      COPY.snapshot(Program::showsUntilItEnds);
      assertEquals(1, COPY.snapshot(() -> COPY.getLong(OBJECT[0], FIELD)));
      change(2); // the heap has room again, or no snapshot needs any
      assertEquals(2, COPY.snapshot(() -> COPY.getLong(OBJECT[OBJECTS - 1], FIELD)));
      SOURCE.close();
      COPY.close(); // waits for snapshots
    }

    private static boolean showsUntilItEnds() {
      assertEquals(0, COPY.getLong(OBJECT[0], FIELD));
      Thread leader = Thread.ofPlatform().start(() -> change(1));
      try {
        leader.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      String message =
          assertThrows(SnapshotEndedException.class, () -> COPY.getLong(OBJECT[0], FIELD))
              .getMessage();
      assertTrue(message.contains("-Xmx") && message.contains("new snapshot"), message);
      return true;
    }

    /** Sets the field of all objects; makes them first, if there are none. */
    private static void change(long value) {
      for (int from = 0; from < OBJECTS; from += EACH) {
        int first = from;
        SOURCE.transaction(
            () -> {
              for (int i = first; i < first + EACH; i++) {
                if (OBJECT[i] == 0) {
                  OBJECT[i] = SOURCE.allocate(SHAPE, SIZE);
                }
                SOURCE.putLong(OBJECT[i], FIELD, value);
              }
              return true;
            });
      }
    }
  }

  @Test
  void theSnapshotIsEndedAndTheReplicaGoesOn() throws Exception {
    new ChildJvm(Program.class)
        .withOptions(
            "-Xmx64m",
            "-XX:MaxDirectMemorySize=1g",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError")
        .run();
  }
}
