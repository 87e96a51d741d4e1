package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.ycsb.generators.Fnv64;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes records of random printable characters. */
final class RecordSource {
  private static final int BATCH = 1000;
  private static final int FIRST_CHARACTER = ' ';
  private static final int CHARACTER_BITS = 6;
  private static final int CHARACTERS_IN_DRAW = 10;

  private RecordSource() {}

  /** The key of the record that was inserted with a number. */
  static long key(long number) {
    return Fnv64.hash(number);
  }

  static String newField(SplittableRandom random) {
    byte[] characters = new byte[Row.FIELD_LENGTH];
    long draw = 0;
    for (int i = 0; i < characters.length; i++) {
      draw = i % CHARACTERS_IN_DRAW == 0 ? random.nextLong() : draw >>> CHARACTER_BITS;
      characters[i] = (byte) (FIRST_CHARACTER + (draw & (1 << CHARACTER_BITS) - 1));
    }
    return new String(characters, StandardCharsets.ISO_8859_1);
  }

  /** A new record with the key of a number. */
  static Row newRow(long number, SplittableRandom random) {
    String[] fields = new String[Row.FIELDS];
    for (int i = 0; i < fields.length; i++) {
      fields[i] = newField(random);
    }
    return new Row(key(number), fields);
  }

  /** Fills a store with the records of the numbers from 0 on. */
  static void load(YcsbStore store, long records, SplittableRandom random) throws Exception {
    List<Row> batch = new ArrayList<>(BATCH);
    for (long number = 0; number < records; number++) {
      batch.add(newRow(number, random));
      if (batch.size() == BATCH || number == records - 1) {
        store.load(batch);
        batch.clear();
      }
    }
  }
}
