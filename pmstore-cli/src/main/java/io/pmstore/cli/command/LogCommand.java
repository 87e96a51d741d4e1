package io.pmstore.cli.command;

import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Table;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.mapped.StoredLog;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.log.LogRecord;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.store.HeapAccess;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "log",
    description = {
      "Shows the records of the redo log that are still there: commits, and what they changed.",
      "Classes are those of the objects as they are now."
    })
final class LogCommand extends StoreCommand {
  private static final String MAPPED = "mapped";
  private static final String OTHER = "(counters, space)";
  private static final String FREED = "(freed)";

  @Option(
      names = "--from",
      defaultValue = "0",
      paramLabel = "POSITION",
      description = "The first commit that is shown.")
  private long from;

  @Option(
      names = "--limit",
      defaultValue = "40",
      paramLabel = "N",
      description = "How many records are shown; ${DEFAULT-VALUE} if not given.")
  private long limit;

  private final Table table =
      new Table(">position", "epoch", "place", ">bytes", "state", "changed");
  private long shown;
  private long next = -1;
  private long replayed;
  private long bytes;

  @Override
  int run(OpenedStore store) {
    String engine = HeapAccess.engineName(directory());
    if (!engine.equals(MAPPED)) {
      throw new Failure(
          "a store of the engine %s has no redo log of files; pm log reads those of the engine %s"
              .formatted(engine, MAPPED));
    }
    try (StoredLog log = StoredLog.open(directory())) {
      log.forEach(from, (record, segment, offset) -> show(store, log, record, segment, offset));
      if (!isJson()) {
        table.lines().forEach(this::line);
        end(log);
      }
    }
    return PmCommand.OK;
  }

  private void show(OpenedStore store, StoredLog log, LogRecord record, int segment, long offset) {
    boolean isNeeded = !log.isClosed() && record.sequence() >= log.checkpoint();
    replayed += isNeeded ? 1 : 0;
    bytes += record.length();
    if (shown == limit) {
      next = next < 0 ? record.sequence() : next;
      return;
    }
    shown++;
    Map<String, Integer> changed = changed(store, record);
    if (isJson()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("position", record.sequence());
      row.put("part", record.part());
      row.put("epoch", record.epoch());
      row.put("segment", segment);
      row.put("offset", offset);
      row.put("bytes", record.length());
      row.put("fragment", record.kind() == LogRecordLayout.KIND_FRAGMENT);
      row.put("toReplay", isNeeded);
      row.put("changed", changed);
      Json.printLine(screen().out(), row);
      return;
    }
    table.row(
        Amounts.count(record.sequence()) + (record.part() > 0 ? "." + record.part() : ""),
        record.epoch(),
        "log-" + segment + " @" + offset,
        Amounts.count(record.length()),
        isNeeded ? "to replay" : "applied",
        changed.entrySet().stream()
            .map(use -> ValueText.simpleName(use.getKey()) + " " + use.getValue())
            .collect(Collectors.joining(", ")));
  }

  private void end(StoredLog log) {
    line(
        "%s, %s of %s; %s"
            .formatted(
                Amounts.of(shown, "record", "records") + " shown",
                Amounts.bytes(bytes),
                Amounts.bytes(log.size()),
                log.isClosed()
                    ? "the store was closed, so none has to be replayed"
                    : Amounts.of(replayed, "record", "records") + " to replay"));
    if (next >= 0) {
      line("for more: --from " + next);
    }
  }

  /** Returns how many objects of each class a record changed. */
  private static Map<String, Integer> changed(OpenedStore store, LogRecord record) {
    Map<String, Integer> counts = new TreeMap<>();
    Set<Long> seen = new HashSet<>();
    byte[] bytes = record.bytes();
    for (int at = LogRecordLayout.HEADER_SIZE; at < record.length(); ) {
      int size = RangeLayout.size(bytes, at);
      long object = RangeLayout.object(bytes, at);
      if (seen.add(object)) {
        counts.merge(name(store, object, size), 1, Integer::sum);
      }
      at += RangeLayout.HEADER_SIZE + size;
    }
    return counts;
  }

  private static String name(OpenedStore store, long object, int size) {
    Heap heap = store.heap();
    if (size == 0) {
      return FREED;
    }
    if (!heap.read(() -> heap.isAllocated(object))) {
      return OTHER;
    }
    long header = heap.memory().getLong(object);
    int shape = ObjectLayout.shapeId(header);
    if (shape == ObjectLayout.SHAPE_CORE) {
      return "pmstore's own";
    }
    return shape > 0 && shape <= store.catalogue().entries().size()
        ? store.catalogue().entries().get(shape - 1).className()
        : OTHER;
  }
}
