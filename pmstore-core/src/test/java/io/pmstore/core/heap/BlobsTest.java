package io.pmstore.core.heap;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.ReferenceMap;
import io.pmstore.core.tx.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transaction that reads a blob under the version of the object that refers to it sees one state,
 * whatever others do between its reads.
 */
class BlobsTest {
  private static final int SHAPE = 3;
  private static final int NUMBER = 8;
  private static final int SLOT = 16; // two words; the second is the address of a blob
  private static final int REFERENCE = 24;

  private final List<WriteSet> records = new ArrayList<>();
  private final Heap heap =
      new Heap(
          new ParallelEngine() {
            @Override
            protected void appended(WriteSet record) {
              records.add(WriteSet.decode(record.encode()));
            }
          },
          Durability.SYNC,
          _ -> new NoObjects());
  private final Heap copy = new Heap(new ParallelEngine(), Durability.SYNC, _ -> new NoObjects());
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private long object;
  private long numbered;
  private int runs;

  @BeforeEach
  void makeObjects() {
    records.clear(); // both heaps have written their superblocks
    copy.replica().begin();
    heap.referenceMaps().add(SHAPE, new ReferenceMap(new int[] {REFERENCE}, new int[0]));
    heap.transaction(
        () -> {
          object = heap.allocate(SHAPE, 32);
          numbered = heap.allocate(SHAPE, 32);
          heap.directory().setRoot("object", object);
          heap.directory().setRoot("numbered", numbered);
          return true;
        });
    set(1, true);
    feed();
  }

  @AfterEach
  void close() {
    other.close();
    copy.close();
    heap.close();
  }

  private void feed() {
    records.forEach(copy.replica()::apply);
    records.clear();
  }

  /** Sets the number and, to as many digits, the text; returns true if the blob stayed. */
  private boolean set(int number, boolean isOfOtherSize) {
    return heap.transaction(
        () -> {
          heap.putLong(numbered, NUMBER, number);
          byte[] text = text(number).getBytes(US_ASCII);
          if (!isOfOtherSize && heap.blobs().overwrite(object, SLOT, text)) {
            return true;
          }
          heap.putLong(object, REFERENCE, heap.blobs().create(text));
          return false;
        });
  }

  private static String text(int number) {
    return String.valueOf(number).repeat(40);
  }

  private void elsewhere(Runnable action) {
    try {
      other.submit(action).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Heap from, long object, long blob) {
    return new String(from.blobs().read(object, blob), US_ASCII);
  }

  /** Reads the number and the text, with something done just before the blob is read first. */
  private void checkRunsAgain(Heap from, Runnable meanwhile) {
    runs = 0;
    List<String> seen = new ArrayList<>();
    from.transaction(
        () -> {
          runs++;
          long number = from.getLong(numbered, NUMBER);
          long blob = from.getLong(object, REFERENCE);
          if (runs == 1) {
            elsewhere(meanwhile);
          }
          seen.add(number + ": " + read(from, object, blob)); // a failure would have it run again
          return true;
        });
    assertEquals(List.of("2: " + text(2)), seen);
    assertEquals(2, runs);
  }

  @Test
  void aBlobIsReadUnderTheVersionOfItsObject() {
    heap.transaction(
        () -> {
          Transaction transaction = (Transaction) requireNonNull(heap.view());
          long blob = heap.getLong(object, REFERENCE);
          assertEquals(text(1), read(heap, object, blob));
          assertEquals(1, transaction.progress(), "locks of the read set");
          heap.getLong(numbered, NUMBER);
          assertEquals(text(1), read(heap, object, blob), "after the read of another object");
          assertEquals(text(1), read(heap, 0, blob), "of an object that is not known");
          return true;
        });
  }

  @Test
  void aTransactionReadsWhatItHasWritten() {
    heap.transaction(
        () -> {
          assertEquals(text(1), read(heap, object, heap.getLong(object, REFERENCE)));
          assertTrue(heap.blobs().overwrite(object, SLOT, text(2).getBytes(US_ASCII)));
          assertEquals(text(2), read(heap, object, heap.getLong(object, REFERENCE)));
          assertTrue(heap.blobs().overwrite(object, SLOT, text(3).getBytes(US_ASCII)), "again");
          assertEquals(text(3), read(heap, object, heap.getLong(object, REFERENCE)));
          heap.putLong(object, REFERENCE, heap.blobs().create(text(4).getBytes(US_ASCII)));
          assertEquals(text(4), read(heap, object, heap.getLong(object, REFERENCE)));
          return true;
        });
  }

  @Test
  void aTransactionRunsAgainIfTheBlobIsOverwrittenMeanwhile() {
    checkRunsAgain(heap, () -> assertTrue(set(2, false)));
  }

  @Test
  void aTransactionRunsAgainIfTheSpaceOfTheBlobIsUsedAgain() {
    long blob = heap.getLong(object, REFERENCE);
    checkRunsAgain(heap, () -> reuse(blob));
  }

  /** Gives the object another blob, and the space of its blob to another object's. */
  private void reuse(long blob) {
    set(2, true);
    heap.transaction(
        () -> {
          for (int i = 0; i < 10_000; i++) {
            if (heap.blobs().create(text(3).getBytes(US_ASCII)) == blob) {
              heap.putLong(numbered, REFERENCE, blob);
              return true;
            }
          }
          throw new AssertionError("nothing has used the space of the blob");
        });
  }

  @Test
  void aReadOnAReplicaRunsAgainIfARecordOverwritesTheBlob() {
    assertTrue(set(2, false));
    checkRunsAgain(copy, this::feed);
  }

  /** The blob is the last thing that each view reads, so no later read finds a conflict. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyReadsPartsOfTwoTexts(boolean inSnapshots) {
    heap.transaction(
        () -> {
          heap.putLong(object, REFERENCE, heap.blobs().create(uniform(0)));
          return true;
        });
    AtomicBoolean ended = new AtomicBoolean();
    Future<?> writer =
        other.submit(
            () -> {
              for (int i = 1; !ended.get(); i++) {
                byte[] text = uniform(i);
                assertTrue(heap.transaction(() -> heap.blobs().overwrite(object, SLOT, text)));
                records.clear();
              }
              return null;
            });
    try {
      for (int i = 0; i < 4_000 && !writer.isDone(); i++) {
        TransactionFunction<byte[], RuntimeException> read =
            () -> heap.blobs().read(object, heap.getLong(object, REFERENCE));
        byte[] seen = inSnapshots ? heap.snapshot(read) : heap.transaction(read);
        for (byte each : requireNonNull(seen)) {
          assertEquals(seen[0], each, "torn in read " + i);
        }
      }
    } finally {
      ended.set(true);
    }
    assertDoesNotThrow(() -> writer.get());
  }

  @Test
  void aSnapshotOfAReplicaShowsABlobWhoseSpaceIsUsedAgain() {
    reuse(heap.getLong(object, REFERENCE));
    copy.snapshot(
        () -> {
          long blob = copy.getLong(object, REFERENCE);
          elsewhere(this::feed);
          assertEquals(text(1), read(copy, object, blob));
          return true;
        });
  }

  private static byte[] uniform(int i) {
    byte[] text = new byte[4_000];
    Arrays.fill(text, (byte) i);
    return text;
  }

  @Test
  void aSnapshotShowsTheTextOfItsTime() {
    heap.snapshot(
        () -> {
          long blob = heap.getLong(object, REFERENCE);
          elsewhere(() -> assertTrue(set(2, false)));
          assertEquals(text(1), read(heap, object, blob));
          return true;
        });
  }
}
