package io.pmstore.jmh.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records as bytes outside of the Java heap, found through a map of the JDK. A read makes strings
 * of them, and that is all: no transactions, no locks, nothing is kept. So no store whose records
 * lie outside of the Java heap reads them faster. For one thread.
 */
final class BytesYcsbStore implements YcsbStore {
  /** A field: its length in a byte, then its characters. */
  private static final int SLOT = 112;

  private static final int RECORD = Row.FIELDS * SLOT;
  private static final int BLOCK = 1000 * RECORD;

  private final Map<Long, ByteBuffer> records;
  private final byte[] text = new byte[SLOT];
  private ByteBuffer block = ByteBuffer.allocateDirect(0);

  BytesYcsbStore(boolean sorted) {
    records = sorted ? new TreeMap<>() : new HashMap<>();
  }

  @Override
  public void load(List<Row> rows) {
    rows.forEach(this::insert);
  }

  @Override
  public String @Nullable [] read(long key) {
    ByteBuffer found = records.get(key);
    return found == null ? null : values(found);
  }

  @Override
  public void update(long key, int field, String value) {
    write(YcsbStore.existing(records, key), field, value);
  }

  @Override
  public void replace(Row row) {
    writeAll(YcsbStore.existing(records, row.key()), row);
  }

  @Override
  public void insert(Row row) {
    if (!block.hasRemaining()) {
      block = ByteBuffer.allocateDirect(BLOCK);
    }
    ByteBuffer made = block.slice(block.position(), RECORD);
    block.position(block.position() + RECORD);
    writeAll(made, row);
    records.put(row.key(), made);
  }

  @Override
  public List<Row> scan(long from, int count) {
    return YcsbStore.scan(records, from, count, this::values);
  }

  @Override
  public void readModifyWrite(long key, int field, Function<String[], String> change) {
    ByteBuffer found = YcsbStore.existing(records, key);
    write(found, field, change.apply(values(found)));
  }

  @Override
  public void close() {
    // Nothing is kept.
  }

  private String[] values(ByteBuffer record) {
    String[] values = new String[Row.FIELDS];
    for (int i = 0; i < values.length; i++) {
      int length = record.get(i * SLOT);
      record.get(i * SLOT + 1, text, 0, length);
      values[i] = new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }
    return values;
  }

  private static void writeAll(ByteBuffer record, Row row) {
    for (int i = 0; i < Row.FIELDS; i++) {
      write(record, i, row.fields()[i]);
    }
  }

  private static void write(ByteBuffer record, int field, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length >= SLOT) {
      throw new IllegalArgumentException(
          "a field has %d characters, and place for %d".formatted(bytes.length, SLOT - 1));
    }
    record.put(field * SLOT, (byte) bytes.length);
    record.put(field * SLOT + 1, bytes);
  }
}
