package io.pmstore.jmh.nvwal;

import io.pmstore.PmStoreException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * The settings of the engine, as in {@link io.pmstore.PmStoreOptions#engine(String, Map)}. The
 * directories are named each time the store is opened.
 *
 * @param logSize {@code log.size}: bytes of the log of a new store, at least {@value #SIZE_MIN};
 *     128 MiB if it is missing, as the tiered engine's two pools have together
 * @param logDirectory {@code log.directory}; the store's if it is missing
 * @param persistentMemory {@code log.medium}: {@code pmem}, or {@code file} if it is missing
 * @param archiveDirectory {@code archive.directory}; the store's if it is missing
 */
record NvwalSettings(
    long logSize, Path logDirectory, boolean persistentMemory, Path archiveDirectory) {
  static final long SIZE_MIN = 1 << 20;

  private static final String SIZE = "log.size";
  private static final String LOG = "log.directory";
  private static final String MEDIUM = "log.medium";
  private static final String ARCHIVE = "archive.directory";
  private static final Set<String> KEYS = Set.of(SIZE, LOG, MEDIUM, ARCHIVE);

  /**
   * Reads the settings.
   *
   * @throws PmStoreException if one is unknown, or has no such value
   */
  static NvwalSettings of(Path store, Map<String, String> settings) {
    settings.keySet().stream()
        .filter(key -> !KEYS.contains(key))
        .findFirst()
        .ifPresent(
            key -> {
              throw new PmStoreException(
                  "the engine %s has no setting %s; it has %s"
                      .formatted(NvwalProvider.NAME, key, String.join(", ", KEYS)));
            });
    String medium = settings.getOrDefault(MEDIUM, "file");
    if (!Set.of("file", "pmem").contains(medium)) {
      throw new PmStoreException(MEDIUM + " is file or pmem, not '" + medium + "'");
    }
    return new NvwalSettings(
        size(settings.getOrDefault(SIZE, Long.toString(128L << 20))),
        Path.of(settings.getOrDefault(LOG, store.toString())),
        medium.equals("pmem"),
        Path.of(settings.getOrDefault(ARCHIVE, store.toString())));
  }

  private static long size(String text) {
    try {
      long size = Long.parseLong(text);
      if (size >= SIZE_MIN && size % NvwalLog.START == 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      throw new PmStoreException(SIZE + " is a number of bytes, not '" + text + "'", e);
    }
    throw new PmStoreException(
        "%s is %s bytes; it must be a multiple of %d from %d on"
            .formatted(SIZE, text, NvwalLog.START, SIZE_MIN));
  }
}
