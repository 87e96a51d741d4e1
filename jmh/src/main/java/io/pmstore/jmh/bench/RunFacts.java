package io.pmstore.jmh.bench;

import io.pmstore.jmh.suite.Scale;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.DriverInfo;
import org.sqlite.SQLiteJDBCLoader;

/** The facts of a run besides its figures. A fact that cannot be found out is "unknown". */
final class RunFacts {
  /** The system property that has the commit of the sources, as {@code ./bench} finds it. */
  static final String COMMIT = "pmstore.bench.commit";

  /** An entry of the benchmark jar's manifest. */
  private static final String PMSTORE_VERSION = "PmStore-Version";

  private static final String UNKNOWN = "unknown";
  private static final double KIB_PER_GIB = 1 << 20;

  private RunFacts() {}

  /**
   * Finds them out.
   *
   * @param command as it was typed
   * @param file where ordinary files are
   * @param pmem where persistent memory is
   * @return the facts, in the order to be shown
   */
  static Map<String, String> collect(
      String command, Scale scale, long seed, int rounds, Path file, Path pmem) throws IOException {
    Attributes versions = manifest();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("command", command);
    facts.put("scale", scale.name().toLowerCase(Locale.ROOT));
    facts.put("rounds", Integer.toString(rounds));
    facts.put("seed", Long.toString(seed));
    facts.put("processor", orUnknown(field(Path.of("/proc/cpuinfo"), "model name")));
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("memory", memory());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("file system of ordinary files", FileSystem.of(file).asFile());
    facts.put("file system of persistent memory", FileSystem.of(pmem).asPmem());
    facts.put("java", System.getProperty("java.runtime.version", UNKNOWN));
    facts.put("vm", System.getProperty("java.vm.name") + ", " + System.getProperty("java.vendor"));
    facts.put("pmstore", version(versions, PMSTORE_VERSION));
    facts.put("sqlite", SQLiteJDBCLoader.getVersion() + " (sqlite-jdbc)");
    facts.put(
        "postgresql",
        version(versions, "PostgreSQL-Version")
            + " (embedded), JDBC driver "
            + DriverInfo.DRIVER_VERSION);
    facts.put("llpl", version(versions, "LLPL-Version"));
    facts.put("commit", System.getProperty(COMMIT, UNKNOWN));
    facts.put("load average at the start", loadAverage());
    return facts;
  }

  private static String version(Attributes versions, String name) {
    return orUnknown(versions.getValue(name));
  }

  private static String orUnknown(@Nullable String value) {
    return value == null || value.isBlank() ? UNKNOWN : value;
  }

  /** The main entries of the benchmark jar's manifest; empty where there is no such jar. */
  private static Attributes manifest() throws IOException {
    List<URL> manifests =
        Collections.list(RunFacts.class.getClassLoader().getResources("META-INF/MANIFEST.MF"));
    for (URL manifest : manifests) {
      try (var in = manifest.openStream()) {
        Attributes attributes = new Manifest(in).getMainAttributes();
        if (attributes.getValue(PMSTORE_VERSION) != null) {
          return attributes;
        }
      }
    }
    return new Attributes();
  }

  private static String memory() {
    String total = field(Path.of("/proc/meminfo"), "MemTotal"); // for instance: 24689152 kB
    return total == null
        ? UNKNOWN
        : String.format(
            Locale.ROOT, "%.1f GiB", Long.parseLong(total.split(" ", 2)[0]) / KIB_PER_GIB);
  }

  private static String loadAverage() {
    Path file = Path.of("/proc/loadavg");
    try {
      return Files.exists(file)
          ? String.join(" ", List.of(Files.readString(file).split(" ")).subList(0, 3))
          : UNKNOWN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first value of a field in a file of lines such as {@code name : value}. */
  static @Nullable String field(Path file, String name) {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      return Files.readAllLines(file).stream()
          .map(line -> line.split(":", 2))
          .filter(parts -> parts.length == 2 && parts[0].strip().equals(name))
          .map(parts -> parts[1].strip())
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
