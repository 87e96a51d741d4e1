package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Durability;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.core.tx.history.Attempt;
import io.pmstore.core.tx.history.Event;
import io.pmstore.core.tx.history.HistoryCheck;
import io.pmstore.core.tx.history.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What many threads saw in random transactions is strictly serializable, failed attempts included.
 */
@ParameterizedClass
@CsvSource({
  "PLATFORM, MEMORY",
  "VIRTUAL, MEMORY",
  "PLATFORM, FILE",
  "VIRTUAL, FILE",
  "PLATFORM, PERSISTENT_MEMORY",
  "VIRTUAL, PERSISTENT_MEMORY",
})
@Timeout(300)
class HistoryTest {
  private static final int SHAPE = 3;
  private static final int FIELD = 8;
  private static final int NEXT = 16;
  private static final int ARRAY_LENGTH_MAX = 1000;

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  EngineKind engines;

  private EngineKind.Opened opened;
  private Heap heap;
  private final AtomicLong elements = new AtomicLong();

  @BeforeEach
  void open() throws Exception {
    opened = engines.openNew();
    heap = new Heap(opened.engine(), Durability.SYNC, h -> new NoObjects());
  }

  @AfterEach
  void close() throws Exception {
    heap.close();
    opened.close();
  }

  @Test
  void randomTransactionsAreStrictlySerializable() throws Exception {
    HistoryRun run =
        new HistoryRun(
            heap,
            n ->
                switch (n % 3) {
                  case 0 -> new Linked(n);
                  case 1 -> new Array(n);
                  default -> new Counter(n);
                });
    List<Attempt> history = run.run(threads);
    assertEquals(List.of(), HistoryCheck.check(history).stream().limit(3).toList());
  }

  /** A word that refers to nodes, the newest first: additions make objects. */
  private final class Linked implements HistoryRun.Subject {
    private final String name;
    private final long object = heap.allocate(SHAPE, 16);

    Linked(int n) {
      name = "linked " + n;
    }

    @Override
    public void add(Recorder recorder) {
      long element = elements.incrementAndGet();
      long node = heap.allocate(SHAPE, 24);
      heap.putLong(node, FIELD, element);
      heap.putLong(node, NEXT, heap.getLong(object, FIELD));
      heap.putLong(object, FIELD, node);
      recorder.did(new Event.Added(name, element));
    }

    @Override
    public void read(Recorder recorder) {
      List<Long> read = new ArrayList<>();
      for (long at = heap.getLong(object, FIELD); at != 0; at = heap.getLong(at, NEXT)) {
        read.addFirst(heap.getLong(at, FIELD));
      }
      recorder.did(new Event.Read(name, read, true));
    }
  }

  /** A length and the elements behind it: additions change two places of one object. */
  private final class Array implements HistoryRun.Subject {
    private final String name;
    private final long object = heap.allocate(SHAPE, 16 + 8 * ARRAY_LENGTH_MAX);

    Array(int n) {
      name = "array " + n;
    }

    @Override
    public void add(Recorder recorder) {
      long element = elements.incrementAndGet();
      int length = (int) heap.getLong(object, FIELD);
      heap.putLong(object, 16 + 8 * length, element);
      heap.putLong(object, FIELD, length + 1);
      recorder.did(new Event.Added(name, element));
    }

    @Override
    public void read(Recorder recorder) {
      List<Long> read = new ArrayList<>();
      long length = heap.getLong(object, FIELD);
      for (int i = 0; i < length; i++) {
        read.add(heap.getLong(object, 16 + 8 * i));
      }
      recorder.did(new Event.Read(name, read, true));
    }
  }

  /** A counter, one bit an element: additions conflict with reads only. */
  private final class Counter implements HistoryRun.Subject {
    private final String name;
    private final long object = heap.allocate(SHAPE, 16);
    private final AtomicInteger bits = new AtomicInteger();

    Counter(int n) {
      name = "counter " + n;
    }

    @Override
    public void add(Recorder recorder) {
      int bit = bits.getAndIncrement();
      if (bit < Long.SIZE) { // attempts that failed may have used them up
        heap.addToCounter(object, FIELD, 1L << bit);
        recorder.did(new Event.Added(name, bit));
      }
    }

    @Override
    public void read(Recorder recorder) {
      long word = heap.counter(object, FIELD);
      List<Long> read = new ArrayList<>();
      for (int bit = 0; bit < Long.SIZE; bit++) {
        if ((word >>> bit & 1) != 0) {
          read.add((long) bit);
        }
      }
      recorder.did(new Event.Read(name, read, false));
    }
  }
}
