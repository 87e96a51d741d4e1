package io.pmstore.model.observe;

import io.pmstore.jmh.support.TemporaryDirectory;
import io.pmstore.model.predict.Predictor;
import io.pmstore.model.predict.Workload;
import io.pmstore.model.predict.Workload.Operation;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.shared.AccessLog;
import io.pmstore.model.shared.Operations;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Observes a workload twice: as it is, for the time; and with counters in pmstore's classes, for
 * what it does.
 */
public final class Observation {
  private static final double QUANTILE = 0.1;

  private final String name;
  private final List<Path> classPath;
  private final Profile profile;
  private final Path directory;
  private final long size;
  private final long count;
  private final long seed;

  /**
   * Prepares.
   *
   * @param name of the workload: {@code oms}, or {@code ycsb-a} to {@code ycsb-f}, or of the class
   *     of an {@link ObservedWorkload}
   * @param classPath the directories and jars of that class; empty for the other workloads
   * @param profile of the memory below the directory, with levels
   * @param directory for stores, which are deleted
   * @param size how many records are loaded, or reports applied, before
   * @param count how many operations are observed
   */
  public Observation(
      String name,
      List<Path> classPath,
      Profile profile,
      Path directory,
      long size,
      long count,
      long seed) {
    this.name = name;
    this.classPath = List.copyOf(classPath);
    this.profile = profile;
    this.directory = directory;
    this.size = size;
    this.count = count;
    this.seed = seed;
  }

  /** Observes. */
  public Workload run() throws Exception {
    double[] nanos = timed();
    OperationCounts counts;
    List<String> kinds;
    RecordingLoader program = new RecordingLoader(urls());
    Path store = Files.createTempDirectory(directory, "pmstore-observed-");
    try (program;
        Operations operations = operations(program, store)) {
      kinds = operations.kinds();
      counts = new OperationCounts(kinds.size());
      AccessLog.record(counts, Thread.currentThread());
      for (long i = 0; i < size + count; i++) {
        int kind = operations.prepare();
        if (kind < 0) {
          break;
        }
        if (i < size) {
          operations.perform(); // fills the store and the caches
        } else {
          counts.begin(kind);
          operations.perform();
          counts.end();
        }
      }
      AccessLog.record(null, null); // before the store is closed, which writes
    } finally {
      AccessLog.record(null, null);
      TemporaryDirectory.delete(store);
    }
    program.requireGates();
    return workload(kinds, counts, nanos);
  }

  private Workload workload(List<String> kinds, OperationCounts counts, double[] nanos) {
    List<Operation> operations = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      if (counts.operations(kind) == 0) {
        continue;
      }
      Operation counted = counts.means(kind, kinds.get(kind), 1);
      double processor = Predictor.processorNanos(counted, profile, nanos[kind]);
      operations.add(counts.means(kind, kinds.get(kind), processor));
    }
    return new Workload(
        name,
        name.equals("oms") ? "reports" : "operations",
        profile.machine().getOrDefault("processor", profile.name()),
        operations,
        List.of());
  }

  /** Returns the time of an operation of each kind in ns, without the slowest tenth. */
  private double[] timed() throws Exception {
    Path store = Files.createTempDirectory(directory, "pmstore-timed-");
    try (URLClassLoader program = new URLClassLoader(urls(), getClass().getClassLoader());
        Operations operations = operations(program, store)) {
      int kinds = operations.kinds().size();
      List<double[]> times = new ArrayList<>();
      int[] counts = new int[kinds];
      for (int kind = 0; kind < kinds; kind++) {
        times.add(new double[Math.toIntExact(count)]);
      }
      for (long i = 0; i < size + count; i++) {
        int kind = operations.prepare();
        if (kind < 0) {
          break;
        }
        long began = System.nanoTime();
        operations.perform();
        long nanos = System.nanoTime() - began;
        if (i >= size) {
          times.get(kind)[counts[kind]++] = nanos;
        }
      }
      double[] each = new double[kinds];
      for (int kind = 0; kind < kinds; kind++) {
        double[] sorted = Arrays.copyOf(times.get(kind), counts[kind]);
        Arrays.sort(sorted);
        each[kind] = trimmedMean(sorted);
      }
      return each;
    } finally {
      TemporaryDirectory.delete(store);
    }
  }

  /** The mean without the slowest tenth, which other programs and the JVM have interrupted. */
  private static double trimmedMean(double[] sorted) {
    int kept = (int) Math.ceil(sorted.length * (1 - QUANTILE));
    return Arrays.stream(sorted, 0, kept).average().orElse(0);
  }

  private String storage() {
    return profile.kind() == Profile.Kind.MEMORY ? "PERSISTENT_MEMORY" : "FILE";
  }

  /** Makes the operations in the program that a loader has. */
  private Operations operations(ClassLoader program, Path store) throws Exception {
    if (!classPath.isEmpty()) {
      return RecordingLoader.create(
          program,
          UserOperations.class,
          Operations.class,
          store,
          storage(),
          program,
          name,
          size,
          seed);
    }
    return name.equals("oms")
        ? RecordingLoader.create(
            program, OmsOperations.class, Operations.class, store, storage(), size + count, seed)
        : RecordingLoader.create(
            program, YcsbWorkload.class, Operations.class, store, storage(), letter(), size, seed);
  }

  private URL[] urls() throws MalformedURLException {
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      Path entry = classPath.get(i);
      if (!Files.exists(entry)) {
        throw new IllegalArgumentException(
            entry.toAbsolutePath() + ", an entry of the class path, does not exist");
      }
      urls[i] = entry.toUri().toURL();
    }
    return urls;
  }

  private String letter() {
    if (!name.matches("ycsb-[a-f]")) {
      throw new IllegalArgumentException(
          "there is no workload '%s' to observe; there are oms, ycsb-a to ycsb-f, and classes of yours with --class-path"
              .formatted(name));
    }
    return name.substring(name.length() - 1);
  }
}
