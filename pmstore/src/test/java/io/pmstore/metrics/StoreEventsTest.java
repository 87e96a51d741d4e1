package io.pmstore.metrics;

import static io.pmstore.Durability.SYNC;
import static io.pmstore.metrics.WatchedPrograms.add;
import static io.pmstore.metrics.WatchedPrograms.conflict;
import static io.pmstore.metrics.WatchedPrograms.rollBack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What JDK Flight Recorder gets to know of a store, with the settings of the documents. */
@Timeout(120)
class StoreEventsTest {
  /** One of 2,048 transactions in a row is looked at for sure. */
  private static final int MORE_THAN_ARE_LEFT_OUT = 2_048;

  private static final Path SETTINGS = Path.of("../docs/observability/pmstore.jfc");

  @TempDir Path parent;

  /** Starts a recording without the throttles, which leave out what they like of a burst. */
  private static Recording recording() throws IOException, ParseException {
    Recording recording = new Recording(Configuration.create(SETTINGS));
    recording.enable("pmstore.Transaction").with("throttle", "off");
    recording.enable("pmstore.Conflict").with("throttle", "off");
    recording.start();
    return recording;
  }

  private Path directory() {
    return parent.resolve("store");
  }

  private PmStore open() {
    return PmStore.open(
        directory(), PmStoreOptions.defaults().storage(Storage.FILE).gcInBackground(false));
  }

  private List<RecordedEvent> events(Recording recording, String name) throws IOException {
    Path file = parent.resolve("events.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .filter(event -> event.getString("store").equals(directory().toString()))
        .toList();
  }

  @Test
  void transactionsSayWhatTheyDid() throws Exception {
    try (Recording recording = recording()) {
      try (PmStore store = open()) {
        Counter counter = store.root(Counter.class);
        for (int i = 0; i < MORE_THAN_ARE_LEFT_OUT; i++) {
          store.transaction(
              () -> {
                counter.setValue(1);
                for (int j = 0; j < 9; j++) {
                  counter.getOthers().add(store.create(Counter.class));
                }
              });
        }
        for (int i = 0; i < MORE_THAN_ARE_LEFT_OUT; i++) {
          store.transaction(counter::getValue);
        }
        for (int i = 0; i < MORE_THAN_ARE_LEFT_OUT; i++) {
          rollBack(store, () -> counter.setValue(5));
        }
      }
      List<RecordedEvent> events = events(recording, "pmstore.Transaction");
      RecordedEvent made =
          events.stream()
              .filter(event -> event.getInt("objectsWritten") >= 10)
              .filter(event -> event.getString("outcome").equals("Committed"))
              .findFirst()
              .orElseThrow();
      assertEquals(1, made.getInt("attempts"));
      assertTrue(made.getInt("objectsRead") > 0);
      assertTrue(made.getLong("logBytes") >= 9 * 24);
      assertTrue(made.getDuration("durabilityWait").compareTo(Duration.ZERO) > 0);
      assertTrue(made.getDuration().compareTo(made.getDuration("durabilityWait")) >= 0);
      RecordedEvent read =
          events.stream()
              .filter(event -> event.getString("outcome").equals("Read only"))
              .filter(event -> event.getInt("objectsRead") == 1)
              .findFirst()
              .orElseThrow();
      assertEquals(0, read.getInt("objectsWritten"));
      RecordedEvent rolledBack =
          events.stream()
              .filter(event -> event.getString("outcome").equals("Rolled back"))
              .findFirst()
              .orElseThrow();
      assertEquals(1, rolledBack.getInt("objectsWritten"));
    }
  }

  @Test
  void aConflictNamesTheClass() throws Exception {
    try (Recording recording = recording();
        PmStore store = open()) {
      Counter counter = store.root(Counter.class);
      conflict(store, counter); // before it nobody notes what commits change
      conflict(store, counter);
      List<RecordedEvent> events = events(recording, "pmstore.Conflict");
      RecordedEvent last = events.getLast();
      assertEquals(Counter.class.getName(), last.getString("objectClass"), events::toString);
      assertEquals(1, last.getInt("failedAttempts"));
    }
  }

  @Test
  void openingGrowthAndUpgradeAreEvents() throws Exception {
    try (Recording recording = recording();
        PmStore store = open()) {
      Counter root = store.root(Counter.class);
      for (int i = 0; i < 20; i++) {
        add(store, SYNC, root, 2000);
      }
      store.upgrade().await();
      RecordedEvent opening = events(recording, "pmstore.Opening").getFirst();
      assertTrue(opening.getLong("heapSize") > 0);
      assertEquals(false, opening.getBoolean("readOnly"));
      RecordedEvent growth = events(recording, "pmstore.HeapGrowth").getFirst();
      assertTrue(growth.getLong("sizeAfter") > growth.getLong("sizeBefore"));
      assertEquals(opening.getLong("heapSize"), growth.getLong("sizeBefore"));
      RecordedEvent upgrade = events(recording, "pmstore.Upgrade").getFirst();
      assertEquals(0, upgrade.getLong("objects"));
      assertEquals("", upgrade.getString("failure"));
    }
  }

  @Test
  void theOptionOfTheDocumentsStartsARecording() throws Exception {
    Path recorded = parent.resolve("app.jfr");
    int options = 0;
    for (Path page : List.of(Path.of("../docs/observability.md"), SETTINGS)) {
      Matcher option = Pattern.compile("java (-XX:\\S*Flight\\S*)").matcher(Files.readString(page));
      while (option.find()) {
        options++;
        Process java =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    option
                        .group(1)
                        .replace("settings=pmstore.jfc", "settings=" + SETTINGS.toAbsolutePath())
                        .replace("app.jfr", recorded.toString()),
                    "-version")
                .inheritIO()
                .start();
        assertEquals(0, java.waitFor(), option.group(1));
        assertTrue(Files.deleteIfExists(recorded), option.group(1));
      }
    }
    assertEquals(2, options);
  }

  @Test
  void theSettingsHaveEveryEventOfTheSources() throws Exception {
    Set<String> inSettings =
        Pattern.compile("event name=\"([^\"]+)\"")
            .matcher(Files.readString(SETTINGS))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> inSources = new TreeSet<>();
    for (String module : List.of("pmstore-core", "pmstore-gc")) {
      try (var files = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith("Event.java")).toList()) {
          Pattern.compile("@Name\\(\"([^\"]+)\"\\)")
              .matcher(Files.readString(file))
              .results()
              .forEach(match -> inSources.add(match.group(1)));
        }
      }
    }
    assertEquals(inSources, inSettings);
  }
}
