package io.pmstore.jmh.consensus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Keys of ten bytes.
 *
 * @param count how many
 */
record Keys(int count) {
  /** How many keys are set together when a map is filled. */
  private static final int BATCH = 1_000;

  String key(int number) {
    return String.format(Locale.ROOT, "key%07d", number);
  }

  /** All keys, with values of ten bytes, in parts. */
  List<Map<String, String>> parts() {
    List<Map<String, String>> parts = new ArrayList<>();
    for (int from = 0; from < count; from += BATCH) {
      Map<String, String> part = new LinkedHashMap<>();
      for (int i = from; i < Math.min(count, from + BATCH); i++) {
        part.put(key(i), key(i));
      }
      parts.add(part);
    }
    return parts;
  }
}
