package io.pmstore.cli.command;

import io.pmstore.PmStoreException;
import io.pmstore.StoreLockedException;
import io.pmstore.cli.graph.Census;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Table;
import io.pmstore.core.engine.StoreFacts;
import io.pmstore.core.store.HeapAccess;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
    name = "info",
    description = "Shows what a store is: identity, state, sizes, roots; on one screen.")
final class InfoCommand extends StoreCommand {
  private static final int BAR = 50;
  private static final int FILES_MAX = 12;

  /** What is known of the store, as far as it can be read. */
  private record Facts(
      String engine,
      Optional<StoreFacts> facts,
      Map<String, Long> files,
      Instant written,
      @Nullable Opened opened,
      boolean inUse,
      @Nullable String fault) {}

  private record Opened(long heapBytes, Census census, long classes, Map<String, String> roots) {}

  @Override
  public Integer call() throws IOException {
    requireAccess();
    Optional<StoreFacts> facts = HeapAccess.facts(directory);
    Map<String, BasicFileAttributes> files = files(directory);
    Opened opened = null;
    boolean inUse = false;
    String fault = null;
    try (PmCommand.Lease lease = pm.open(directory)) {
      opened = opened(lease.store());
      opened.census().requireWhole();
    } catch (PmStoreException e) {
      inUse = e instanceof StoreLockedException;
      fault = Failure.oneLine(e.getMessage());
    }
    Facts info =
        new Facts(
            HeapAccess.engineName(directory),
            facts,
            sizes(files),
            written(files),
            opened,
            inUse,
            fault);
    if (isJson()) {
      json(document(info));
    } else {
      print(info);
    }
    return fault == null ? PmCommand.OK : PmCommand.FAILED;
  }

  private Opened opened(OpenedStore store) {
    Census census = census(store);
    Map<String, String> roots = new TreeMap<>();
    store
        .generic()
        .roots()
        .forEach(
            (name, address) ->
                roots.put(
                    name,
                    address == 0
                        ? "null"
                        : Values.className(store, store.generic().at(address)) + " @" + address));
    return new Opened(
        store.heap().memory().writableBytes(),
        census,
        census.classes().stream().filter(Census.ClassCount::isUsers).count(),
        roots);
  }

  /** Returns the files; another process may delete some meanwhile. */
  private static Map<String, BasicFileAttributes> files(Path directory) throws IOException {
    Map<String, BasicFileAttributes> files = new TreeMap<>();
    Files.walkFileTree(
        directory,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.put(directory.relativize(file).toString(), attributes);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException && !file.equals(directory)) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
    return files;
  }

  private static Map<String, Long> sizes(Map<String, BasicFileAttributes> files) {
    Map<String, Long> sizes = new TreeMap<>();
    files.forEach((name, file) -> sizes.put(name, file.size()));
    return sizes;
  }

  private static Instant written(Map<String, BasicFileAttributes> files) {
    return files.values().stream()
        .map(file -> file.lastModifiedTime().toInstant())
        .max(Comparator.naturalOrder())
        .orElse(Instant.EPOCH);
  }

  private static long logBytes(Map<String, Long> files) {
    return files.entrySet().stream()
        .filter(file -> file.getKey().startsWith("log-"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static String state(boolean closed, boolean inUse) {
    if (inUse) {
      return "in use: a process has it open";
    }
    return closed
        ? "closed"
        : "not closed: a process was killed; the next opening for writing recovers the store";
  }

  private void print(Facts info) {
    Table table = new Table("", "");
    table.row("store", directory.toAbsolutePath().normalize());
    info.facts()
        .ifPresent(
            facts -> {
              table.row("identity", facts.store());
              table.row("state", state(facts.closed(), info.inUse()));
              table.row(
                  "format",
                  "version %d, engine %s, storage %s"
                      .formatted(facts.formatVersion(), info.engine(), facts.storage()));
              if (facts.epoch() > 0) {
                table.row("epoch", facts.epoch() + " (openings for writing)");
              }
            });
    if (info.facts().isEmpty()) {
      table.row("format", "engine " + info.engine());
    }
    table.row(
        "written",
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss")
            .format(info.written().atZone(ZoneId.systemDefault())));
    long total = info.files().values().stream().mapToLong(Long::longValue).sum();
    table.row("files", Amounts.bytes(total) + names(info.files()));
    if (logBytes(info.files()) > 0) {
      table.row("log", Amounts.bytes(logBytes(info.files())));
    }
    Opened opened = info.opened();
    if (opened != null) {
      print(table, opened);
    }
    table.lines().forEach(this::line);
    if (info.fault() != null) {
      screen().err().println("pm: the rest cannot be read: " + info.fault());
    }
  }

  private static String names(Map<String, Long> files) {
    List<String> names =
        files.entrySet().stream()
            .filter(file -> file.getValue() > 0)
            .map(file -> file.getKey() + " " + Amounts.bytes(file.getValue()))
            .toList();
    return ": "
        + String.join(", ", names.subList(0, Math.min(names.size(), FILES_MAX)))
        + (names.size() > FILES_MAX ? ", ..." : "");
  }

  private static void print(Table table, Opened opened) {
    Census census = opened.census();
    double heap = Math.max(1, opened.heapBytes());
    table.row("heap", Amounts.bytes(opened.heapBytes()));
    long live = census.bytes() - census.unlinkedBytes();
    table.row(
        "  live",
        share(live, heap)
            + Amounts.objects(census.objects() - census.unlinkedObjects())
            + " of "
            + Amounts.of(opened.classes(), "class", "classes")
            + " and pmstore's own");
    table.row(
        "  garbage",
        share(census.unlinkedBytes(), heap)
            + Amounts.objects(census.unlinkedObjects())
            + " that nothing refers to; pm verify finds all garbage");
    table.row("  free", share(census.freeBytes(), heap).stripTrailing());
    table.row("roots", opened.roots().isEmpty() ? "none" : "");
    opened.roots().forEach((name, object) -> table.row("  " + StorePath.ofRoot(name), object));
  }

  private static String share(long bytes, double heap) {
    return "%-10s %-7s %s  "
        .formatted(
            Amounts.bytes(bytes),
            Amounts.percent(bytes / heap),
            (Amounts.bar(bytes / heap, BAR / 2) + " ".repeat(BAR)).substring(0, BAR / 2));
  }

  private Map<String, @Nullable Object> document(Facts info) {
    Map<String, @Nullable Object> document =
        Json.object("directory", directory.toAbsolutePath().normalize(), "engine", info.engine());
    info.facts()
        .ifPresent(
            facts -> {
              document.put("identity", facts.store());
              document.put("formatVersion", facts.formatVersion());
              document.put("storage", facts.storage());
              document.put("closed", facts.closed());
              document.put("epoch", facts.epoch());
            });
    document.put("written", info.written().truncatedTo(ChronoUnit.MILLIS));
    document.put("files", info.files());
    document.put("logBytes", logBytes(info.files()));
    Opened opened = info.opened();
    if (opened != null) {
      document.put("heapBytes", opened.heapBytes());
      document.put("liveObjects", opened.census().objects() - opened.census().unlinkedObjects());
      document.put("liveBytes", opened.census().bytes() - opened.census().unlinkedBytes());
      document.put("unlinkedObjects", opened.census().unlinkedObjects());
      document.put("unlinkedBytes", opened.census().unlinkedBytes());
      document.put("freeBytes", opened.census().freeBytes());
      document.put("classes", opened.classes());
      document.put("roots", opened.roots());
    }
    if (info.fault() != null) {
      document.put("error", info.fault());
    }
    return document;
  }
}
