package io.pmstore.model.memory;

import io.pmstore.core.medium.Media;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Facts about the machine. One that cannot be found out is left out. */
public final class MachineFacts {
  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");
  private static final int KIB = 10;

  private MachineFacts() {}

  /**
   * Finds them out.
   *
   * @param directory what is measured
   */
  public static Map<String, String> of(Path directory) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    try {
      FileStore store = Files.getFileStore(directory);
      String dax = Media.isDax(directory) ? ", DAX" : "";
      facts.put("file system", "%s on %s%s".formatted(store.type(), store.name(), dax));
      field(Path.of("/proc/cpuinfo"), "model name", "processor", facts);
      field(Path.of("/proc/meminfo"), "MemTotal", "memory", facts);
      Path load = Path.of("/proc/loadavg");
      if (Files.exists(load)) {
        facts.put("load average at the start", Files.readString(load).strip());
      }
    } catch (IOException e) {
      facts.put("unknown", "some facts could not be read: " + e.getMessage());
    }
    facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.runtime.version", "unknown"));
    return facts;
  }

  private static void field(Path file, String name, String fact, Map<String, String> facts)
      throws IOException {
    if (Files.exists(file)) {
      Files.readAllLines(file).stream()
          .map(line -> line.split(":", 2))
          .filter(parts -> parts.length == 2 && parts[0].strip().equals(name))
          .findFirst()
          .ifPresent(parts -> facts.put(fact, parts[1].strip()));
    }
  }

  /**
   * Returns the caches for data of the first processor, smallest first, as the kernel lists them.
   */
  static List<ProbedMemory.KnownCache> caches() {
    List<ProbedMemory.KnownCache> caches = new ArrayList<>();
    if (!Files.isDirectory(CACHES)) {
      return caches;
    }
    try (Stream<Path> entries = Files.list(CACHES)) {
      for (Path entry : entries.filter(e -> Files.exists(e.resolve("size"))).toList()) {
        String type = Files.readString(entry.resolve("type")).strip();
        String size = Files.readString(entry.resolve("size")).strip(); // such as 48K
        if (!type.equals("Instruction") && size.endsWith("K")) {
          long bytes = Long.parseLong(size.substring(0, size.length() - 1)) << KIB;
          String level = Files.readString(entry.resolve("level")).strip();
          caches.add(new ProbedMemory.KnownCache("L" + level + " cache", bytes));
        }
      }
    } catch (IOException | NumberFormatException e) {
      System.getLogger(MachineFacts.class.getName())
          .log(System.Logger.Level.WARNING, "the caches that the kernel lists are unreadable", e);
      return List.of();
    }
    caches.sort(Comparator.comparingLong(ProbedMemory.KnownCache::bytes));
    return caches;
  }
}
