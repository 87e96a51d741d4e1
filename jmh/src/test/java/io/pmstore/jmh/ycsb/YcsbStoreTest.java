package io.pmstore.jmh.ycsb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.TestDirectories;
import io.pmstore.jmh.workload.TestSeed;
import io.pmstore.oms.targets.UnavailableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store does what a sorted map does, before and after reopening, for several threads too. */
final class YcsbStoreTest {
  private static final int RECORDS = 150;
  private static final int OPERATIONS = 200;
  private static final int INCREMENTS = 30;

  private final TreeMap<Long, String[]> model = new TreeMap<>();
  private final SplittableRandom random = new SplittableRandom(TestSeed.next("YcsbStoreTest"));
  private long inserted = RECORDS;

  static Stream<Arguments> stores() {
    return Stream.of(
            List.of(Deployment.inMemory(4), false),
            List.of(Deployment.inMemory(4), true),
            List.of(Deployment.asBytes(), false),
            List.of(Deployment.asBytes(), true),
            List.of(new Deployment(StoreKind.PMSTORE, "file", "sync", 1), false),
            List.of(new Deployment(StoreKind.PMSTORE, "file", "relaxed", 4), true),
            List.of(new Deployment(StoreKind.PMSTORE, "pmem", "sync", 4), false),
            List.of(new Deployment(StoreKind.PMSTORE_LLPL, "pmem", "sync", 4), true),
            List.of(new Deployment(StoreKind.SQLITE, "file", "sync", 1), true),
            List.of(new Deployment(StoreKind.SQLITE, "pmem", "relaxed", 4), true),
            List.of(new Deployment(StoreKind.POSTGRES, "file", "sync", 4), true))
        .map(row -> Arguments.of(row.toArray()));
  }

  @ParameterizedTest
  @MethodSource("stores")
  void doesWhatAMapDoes(Deployment deployment, boolean sorted) throws Exception {
    skip(deployment.missing());
    try (TestDirectories directories = new TestDirectories()) {
      Path directory = directories.directory(deployment.medium());
      try (YcsbStore store = open(deployment, directory, sorted)) {
        load(store);
        work(store, sorted);
        countTogether(store, deployment.threads(), increments(deployment));
        compare(store, sorted);
      }
      if (deployment.stored()) {
        try (YcsbStore store = open(deployment, directory, sorted)) {
          compare(store, sorted);
          work(store, sorted);
          compare(store, sorted);
        }
      }
    }
  }

  private static YcsbStore open(Deployment deployment, Path directory, boolean sorted)
      throws Exception {
    try {
      return YcsbStores.open(deployment, directory, sorted);
    } catch (UnavailableException e) {
      skip(e.getMessage());
      throw e;
    }
  }

  private static void skip(String missing) {
    if (missing != null) {
      System.err.println("SKIPPED: a store of YCSB: " + missing);
      Assumptions.abort(missing);
    }
  }

  private void load(YcsbStore store) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      Row row = RecordSource.newRow(i, random);
      rows.add(row);
      model.put(row.key(), row.fields());
    }
    store.load(rows);
  }

  private void work(YcsbStore store, boolean sorted) throws Exception {
    for (int i = 0; i < OPERATIONS; i++) {
      long key = RecordSource.key(random.nextLong(inserted));
      int field = random.nextInt(Row.FIELDS);
      String value = RecordSource.newField(random);
      switch (OperationKind.values()[random.nextInt(OperationKind.values().length)]) {
        case READ -> assertArrayEquals(model.get(key), store.read(key));
        case UPDATE -> {
          store.update(key, field, value);
          model.get(key)[field] = value;
        }
        case REPLACE -> {
          Row row = new Row(key, RecordSource.newRow(0, random).fields());
          store.replace(row);
          model.put(key, row.fields());
        }
        case INSERT -> {
          Row row = RecordSource.newRow(inserted++, random);
          store.insert(row);
          model.put(row.key(), row.fields());
        }
        case SCAN -> {
          if (sorted) {
            int count = 1 + random.nextInt(100);
            assertEquals(rows(key, count), store.scan(key, count));
            assertEquals(rows(key + 1, count), store.scan(key + 1, count));
          }
        }
        case READ_MODIFY_WRITE -> {
          store.readModifyWrite(
              key,
              field,
              fields -> {
                assertArrayEquals(model.get(key), fields);
                return value + fields[field].charAt(0);
              });
          model.get(key)[field] = value + model.get(key)[field].charAt(0);
        }
      }
    }
    long absent = RecordSource.key(inserted);
    assertNull(store.read(absent));
    assertThrows(IllegalStateException.class, () -> store.update(absent, 0, "x"));
    Row nowhere = RecordSource.newRow(inserted, random);
    assertThrows(IllegalStateException.class, () -> store.replace(nowhere));
    assertThrows(
        IllegalStateException.class, () -> store.readModifyWrite(absent, 0, fields -> "x"));
    long key = model.firstKey();
    assertThrows(
        ArithmeticException.class,
        () ->
            store.readModifyWrite(
                key,
                0,
                fields -> {
                  throw new ArithmeticException("no change");
                }));
    assertArrayEquals(model.get(key), store.read(key));
  }

  /** The quicker a store is, the more seldom its threads meet. */
  private static int increments(Deployment deployment) {
    boolean syncs = deployment.medium().equals("file") && !deployment.relaxed();
    return deployment.stored() ? syncs ? INCREMENTS : 30 * INCREMENTS : 1000 * INCREMENTS;
  }

  /** Threads add to the same few fields: none of what they add is lost. */
  private void countTogether(YcsbStore store, int threads, int increments) throws Exception {
    List<Long> keys = model.keySet().stream().limit(2).toList();
    for (long key : keys) {
      store.update(key, 0, "0");
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        all.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < increments; i++) {
                    long key = keys.get(i % keys.size());
                    store.readModifyWrite(
                        key, 0, fields -> String.valueOf(Integer.parseInt(fields[0]) + 1));
                    store.read(key);
                  }
                  return true;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    for (long key : keys) {
      model.get(key)[0] = String.valueOf(threads * increments / keys.size());
    }
  }

  private void compare(YcsbStore store, boolean sorted) throws Exception {
    for (long key : model.keySet()) {
      assertArrayEquals(model.get(key), store.read(key));
    }
    if (sorted) {
      assertEquals(rows(0, Integer.MAX_VALUE), store.scan(0, 10 * model.size()));
    } else {
      for (long number = inserted; number < inserted + 100; number++) {
        assertNull(store.read(RecordSource.key(number)));
      }
    }
  }

  private List<Row> rows(long from, int count) {
    return model.tailMap(from, true).entrySet().stream()
        .limit(count)
        .map(entry -> new Row(entry.getKey(), entry.getValue()))
        .toList();
  }
}
