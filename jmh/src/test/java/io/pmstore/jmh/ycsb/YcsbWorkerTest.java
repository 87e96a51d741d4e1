package io.pmstore.jmh.ycsb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.workload.TestSeed;
import io.pmstore.jmh.ycsb.generators.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A worker does to a store what its workload says. */
final class YcsbWorkerTest {
  private static final int RECORDS = 200;
  private static final int OPERATIONS = 20_000;

  private final SplittableRandom random = new SplittableRandom(TestSeed.next("YcsbWorkerTest"));
  private final Watched store = new Watched();
  private final Sequence sequence = new Sequence(RECORDS);

  /** Plain objects, and what was done to them. */
  private static final class Watched implements YcsbStore {
    private final MemoryYcsbStore records = new MemoryYcsbStore(true);
    private final Set<Long> read = new HashSet<>();
    private final List<Integer> fields = new ArrayList<>();
    private final Set<String> values = new HashSet<>();
    private final List<Integer> scanned = new ArrayList<>();
    private final List<Long> inserted = new ArrayList<>();
    private final List<Row> replaced = new ArrayList<>();
    private int modified;

    @Override
    public void load(List<Row> rows) {
      records.load(rows);
    }

    @Override
    public String[] read(long key) {
      read.add(key);
      return records.read(key);
    }

    @Override
    public void update(long key, int field, String value) {
      fields.add(field);
      values.add(value);
      records.update(key, field, value);
    }

    @Override
    public void replace(Row row) {
      replaced.add(row);
      records.replace(row);
    }

    @Override
    public void insert(Row row) {
      inserted.add(row.key());
      values.addAll(List.of(row.fields()));
      records.insert(row);
    }

    @Override
    public List<Row> scan(long from, int count) {
      scanned.add(count);
      return records.scan(from, count);
    }

    @Override
    public void readModifyWrite(long key, int field, Function<String[], String> change) {
      modified++;
      records.readModifyWrite(
          key,
          field,
          before -> {
            String after = change.apply(before);
            assertNotEquals(before[field], after);
            return after;
          });
    }

    @Override
    public void close() {}
  }

  private void work(Workload workload) throws Exception {
    RecordSource.load(store, RECORDS, random);
    YcsbWorker worker = new YcsbWorker(store, workload, sequence, random.split());
    for (int i = 0; i < OPERATIONS; i++) {
      worker.prepare();
      worker.perform();
    }
  }

  @Test
  void replacementsWriteAllFieldsOfEachRecord() throws Exception {
    work(Workload.REPLACE_ZIPFIAN);
    assertEquals(OPERATIONS, store.replaced.size());
    Map<Long, Row> last = new HashMap<>();
    store.replaced.forEach(row -> last.put(row.key(), row));
    assertEquals(RECORDS, last.size(), "not all records are replaced");
    last.forEach((key, row) -> assertArrayEquals(row.fields(), store.records.read(key)));
    assertEquals(
        OPERATIONS, store.replaced.stream().map(row -> row.fields()[9]).distinct().count());
  }

  @Test
  void updatesWriteEachFieldAlikeWithNewTextOfAHundredCharacters() throws Exception {
    work(Workload.A);
    assertEquals(store.fields.size(), store.values.size());
    for (String value : store.values) {
      assertEquals(100, value.length());
      assertTrue(value.chars().allMatch(c -> c >= ' ' && c < 127), value);
      assertTrue(value.chars().distinct().count() > 20, value); // 51 on average
    }
    for (int field = 0; field < 10; field++) {
      int sought = field;
      double share =
          store.fields.stream().filter(one -> one == sought).count() / (double) store.fields.size();
      assertEquals(0.1, share, 0.02);
    }
    assertEquals(RECORDS, store.read.size(), "not all records are read");
  }

  @Test
  void scansReadOneToAHundredRecords() throws Exception {
    work(Workload.E);
    assertEquals(1, store.scanned.stream().mapToInt(one -> one).min().orElseThrow());
    assertEquals(100, store.scanned.stream().mapToInt(one -> one).max().orElseThrow());
    assertEquals(50.5, store.scanned.stream().mapToInt(one -> one).average().orElseThrow(), 1.5);
  }

  @Test
  void insertionsGoOnWhereTheLoadEndedAndAreReadOnceTheyAreThere() throws Exception {
    work(Workload.D);
    assertTrue(store.inserted.size() > OPERATIONS / 30, () -> "" + store.inserted.size());
    for (int i = 0; i < store.inserted.size(); i++) {
      assertEquals(RecordSource.key(RECORDS + i), store.inserted.get(i));
    }
    assertEquals(RECORDS + store.inserted.size(), sequence.count());
    assertTrue(store.read.containsAll(store.inserted.subList(0, 100)), "the latest is not read");
  }

  @Test
  void halfOfFReadsModifiesAndWrites() throws Exception {
    work(Workload.F);
    assertEquals(0.5, store.modified / (double) OPERATIONS, 0.03);
  }

  @Test
  void aRecordThatIsNotThereEndsTheRun() {
    YcsbWorker worker = new YcsbWorker(store, Workload.C, sequence, random);
    worker.prepare();
    assertThrows(IllegalStateException.class, worker::perform);
  }
}
