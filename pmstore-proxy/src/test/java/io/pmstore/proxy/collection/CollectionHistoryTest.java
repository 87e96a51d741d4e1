package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.core.tx.EngineKind;
import io.pmstore.core.tx.HistoryRun;
import io.pmstore.core.tx.ThreadKind;
import io.pmstore.core.tx.history.Attempt;
import io.pmstore.core.tx.history.Event;
import io.pmstore.core.tx.history.HistoryCheck;
import io.pmstore.core.tx.history.Recorder;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What many threads read from collections in random transactions is strictly serializable: what
 * they iterate over, and what they look up and do not find.
 */
@Timeout(300)
class CollectionHistoryTest {
  private final AtomicLong elements = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @CsvSource({
    "PLATFORM, MEMORY",
    "VIRTUAL, MEMORY",
    "PLATFORM, FILE",
    "VIRTUAL, PERSISTENT_MEMORY",
  })
  void randomTransactionsAreStrictlySerializable(ThreadKind threads, EngineKind engines)
      throws Exception {
    try (EngineKind.Opened opened = engines.openNew()) {
      TestStore store = new TestStore(opened.engine());
      HistoryRun run =
          new HistoryRun(
              store.heap,
              n ->
                  switch (n % 8) {
                    case 0 -> new Map("map " + n, store.newMap());
                    case 1 -> new Elements("list " + n, store.newList(), true);
                    case 2 -> new Elements("set " + n, store.newSet(), false);
                    case 3 -> new Elements("deque " + n, store.newDeque(), true);
                    case 4 -> new Map("linked map " + n, store.newLinkedMap());
                    case 5 -> new Elements("linked set " + n, store.newLinkedSet(), true);
                    case 6 -> new Map("sorted map " + n, store.newSortedMap(null));
                    default ->
                        new Elements(
                            "sorted set " + n,
                            store.newSortedSet(Comparator.reverseOrder()),
                            false);
                  });
      List<Attempt> history = run.run(threads);
      assertEquals(List.of(), HistoryCheck.check(history).stream().limit(3).toList());
      assertEquals(List.of(), wrong.stream().limit(3).toList());
      store.heap.close();
    }
  }

  /** Kept outside the transactions: an exception because of a state that is gone is forgotten. */
  private void expectSize(String name, List<Long> read, int size) {
    if (read.size() != size) {
      wrong.add("%s has %s and a size of %d".formatted(name, read, size));
    }
  }

  private final class Map implements HistoryRun.Subject {
    private final String name;
    private final java.util.Map<Long, Long> map;

    Map(String name, java.util.Map<Long, Long> map) {
      this.name = name;
      this.map = map;
    }

    @Override
    public void add(Recorder recorder) {
      long element = elements.incrementAndGet();
      map.put(element, -element);
      recorder.did(new Event.Added(name, element));
    }

    @Override
    public void read(Recorder recorder) {
      List<Long> read = List.copyOf(map.keySet());
      recorder.did(new Event.Read(name, read, false));
      expectSize(name, read, map.size());
    }

    @Override
    public void look(Recorder recorder, Random random) {
      // One of the last: perhaps of this map, perhaps just being added, perhaps not yet.
      long element = elements.get() - random.nextInt(-2, 40);
      recorder.did(new Event.Probed(name, element, map.get(element) != null));
    }
  }

  private final class Elements implements HistoryRun.Subject {
    private final String name;
    private final Collection<Long> list;
    private final boolean ordered;

    Elements(String name, Collection<Long> list, boolean ordered) {
      this.name = name;
      this.list = list;
      this.ordered = ordered;
    }

    @Override
    public void add(Recorder recorder) {
      long element = elements.incrementAndGet();
      list.add(element);
      recorder.did(new Event.Added(name, element));
    }

    @Override
    public void read(Recorder recorder) {
      List<Long> read = List.copyOf(list);
      recorder.did(new Event.Read(name, read, ordered));
      expectSize(name, read, list.size());
    }

    @Override
    public void look(Recorder recorder, Random random) {
      long element = elements.get() - random.nextInt(-2, 40);
      recorder.did(new Event.Probed(name, element, list.contains(element)));
    }
  }
}
