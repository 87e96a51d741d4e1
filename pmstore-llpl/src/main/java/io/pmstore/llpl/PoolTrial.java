package io.pmstore.llpl;

import com.intel.pmem.llpl.AnyHeap;
import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Opens a pool on trial in another process before this process maps it. A damaged pool can make
 * PMDK crash or run for ever, and no check of the bytes of a pool that was not closed finds all
 * such damage. {@link PoolLanes} runs first, because a wrong recovery need not crash.
 *
 * <p>The other process runs {@link PoolTrialMain}. It maps the pool privately, so the files do not
 * change. It ends when this process ends.
 */
final class PoolTrial {
  /** What the process says before it touches the pool. */
  static final String BEGUN = "pmstore: trying the pool";

  /** What it says at the end. */
  static final String SOUND = "pmstore: the pool is sound";

  /** Comes before the message of a refusal. */
  static final String REFUSED = "pmstore: refused: ";

  /** How many seconds a trial may take. */
  private static final int SECONDS_MAX = Integer.getInteger("pmstore.llpl.trial.seconds", 60);

  private static final int KILLED = 128 + 9; // by somebody else: PMDK does not
  private static final String CONFIGURATION = "PMEMOBJ_CONF";
  private static final String PRIVATE = "copy_on_write.at_open=1";
  // They may hold an agent's port, or more heap than there is for two.
  private static final List<String> FOR_THIS_JVM_ONLY =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final PoolFiles files;

  private PoolTrial(PoolFiles files) {
    this.files = files;
  }

  /**
   * Tries a pool that nobody has open. Where no process can be started, that is logged, and nothing
   * is known.
   *
   * @param files of the store, checked
   * @throws StoreDamagedException if PMDK cannot work with the pool
   */
  static void run(PoolFiles files, PoolParts parts) throws IOException {
    PoolLanes.check(files.pool(), parts);
    new PoolTrial(files).run();
  }

  private void run() throws IOException {
    // Of its own: what LLPL extracts there stays behind when the process crashes.
    Path temporary;
    try {
      temporary = Files.createTempDirectory("pmstore-trial");
    } catch (IOException e) {
      unknown(e.toString());
      return;
    }
    try {
      Path output = temporary.resolve("output");
      Process process;
      try {
        process = start(temporary, output);
      } catch (IOException e) {
        unknown(e.toString());
        return;
      }
      boolean ended = await(process);
      judge(ended, process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      delete(temporary);
    }
  }

  private Process start(Path temporary, Path output) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:+SuppressFatalErrorMessage",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dstdout.encoding=UTF-8",
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            classPath(),
            PoolTrialMain.class.getName(),
            files.directory().toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    Map<String, String> environment = builder.environment();
    FOR_THIS_JVM_ONLY.forEach(environment::remove);
    environment.merge(CONFIGURATION, PRIVATE, (old, added) -> old + ";" + added);
    return builder.start();
  }

  /** Where the classes are that the process needs; the whole class path if that is no file. */
  private static String classPath() {
    Set<String> places = new LinkedHashSet<>();
    for (Class<?> needed :
        List.of(PoolTrialMain.class, Engine.class, PmStoreException.class, AnyHeap.class)) {
      CodeSource source = needed.getProtectionDomain().getCodeSource();
      try {
        if (source == null || !source.getLocation().getProtocol().equals("file")) {
          return System.getProperty("java.class.path");
        }
        places.add(Path.of(source.getLocation().toURI()).toString());
      } catch (URISyntaxException e) {
        return System.getProperty("java.class.path");
      }
    }
    return String.join(File.pathSeparator, places);
  }

  private static boolean await(Process process) {
    boolean ended = false;
    try {
      ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new PmStoreException(
          "this thread was interrupted while the pool was tried before its opening; nothing was"
              + " changed: open the store again",
          e);
    }
    return ended;
  }

  private void judge(boolean ended, int exit, String output) {
    List<String> lines = output.lines().toList();
    if (!lines.contains(BEGUN) || (exit == KILLED && ended)) {
      unknown("it ended with %d: %s".formatted(exit, output.strip()));
    } else if (!ended) {
      throw damaged(
          "did not come to an end within %d seconds (on a very slow machine set -Dpmstore.llpl.trial.seconds)"
              .formatted(SECONDS_MAX));
    } else if (!lines.contains(SOUND)) {
      for (String line : lines) {
        if (line.startsWith(REFUSED)) {
          throw new StoreDamagedException(line.substring(REFUSED.length()));
        }
      }
      throw damaged("crashed (exit code %d)".formatted(exit));
    }
  }

  private StoreDamagedException damaged(String what) {
    return new StoreDamagedException(
        "%s is damaged: PMDK, which tried it in a process of its own, %s; restore it from a backup"
            .formatted(files.pool(), what));
  }

  private void unknown(String why) {
    System.getLogger(PoolTrial.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "The pool %s is opened without a trial in a process of its own, because that could not be run (%s). If the pool is damaged, PMDK may end this process."
                .formatted(files.pool(), why));
  }

  /** Deletes a directory, if that is possible: what is left says nothing of the pool. */
  private static void delete(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path entry : entries.toList()) {
        Files.deleteIfExists(entry);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      System.getLogger(PoolTrial.class.getName())
          .log(System.Logger.Level.DEBUG, "the temporary directory " + directory + " stays", e);
    }
  }
}
