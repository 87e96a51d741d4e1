package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.workload.Worker;
import io.pmstore.jmh.ycsb.generators.Chooser;
import io.pmstore.jmh.ycsb.generators.Sequence;
import io.pmstore.jmh.ycsb.generators.Uniform;
import java.util.SplittableRandom;

/** One thread of a workload. A record that should be there and is not ends the run. */
final class YcsbWorker implements Worker {
  private static final int SCAN_MAX = 100;

  private final YcsbStore store;
  private final Workload workload;
  private final Sequence sequence;
  private final SplittableRandom random;
  private final Chooser records;
  private final Uniform uniform = new Uniform();

  private OperationKind kind = OperationKind.READ;
  private long number;
  private long key;
  private int field;
  private int count;
  private String value = "";
  private Row row = new Row(0, new String[0]);

  /**
   * Creates the worker.
   *
   * @param sequence the numbers of the records, shared with all that work on the store
   * @param random its own
   */
  YcsbWorker(YcsbStore store, Workload workload, Sequence sequence, SplittableRandom random) {
    this.store = store;
    this.workload = workload;
    this.sequence = sequence;
    this.random = random;
    records = workload.newChooser(sequence.count());
  }

  @Override
  public int prepare() {
    kind = workload.next(random);
    switch (kind) {
      case INSERT -> {
        number = sequence.take();
        row = RecordSource.newRow(number, random);
      }
      case REPLACE -> row = RecordSource.newRow(existing(), random);
      default -> key = RecordSource.key(existing());
    }
    switch (kind) {
      case UPDATE, READ_MODIFY_WRITE -> {
        field = (int) uniform.next(random, Row.FIELDS);
        value = RecordSource.newField(random);
      }
      case SCAN -> count = 1 + (int) uniform.next(random, SCAN_MAX);
      case READ, INSERT, REPLACE -> {}
    }
    return kind.index();
  }

  private long existing() {
    long items = sequence.count();
    long chosen = records.next(random, items);
    while (chosen >= items) {
      chosen = records.next(random, items);
    }
    return chosen;
  }

  @Override
  public void perform() throws Exception {
    switch (kind) {
      case READ -> {
        if (store.read(key) == null) {
          throw YcsbStore.absent(key);
        }
      }
      case UPDATE -> store.update(key, field, value);
      case INSERT -> {
        store.insert(row);
        sequence.acknowledge(number);
      }
      case REPLACE -> store.replace(row);
      case SCAN -> {
        if (store.scan(key, count).getFirst().key() != key) {
          throw YcsbStore.absent(key);
        }
      }
      case READ_MODIFY_WRITE -> store.readModifyWrite(key, field, fields -> value);
    }
  }
}
