package io.pmstore.cli.command;

import io.pmstore.cli.graph.ChangedObjects;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Table;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.engine.StoredCommits.Entry;
import io.pmstore.core.engine.StoredCommits.State;
import io.pmstore.core.store.HeapAccess;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "log",
    description = {
      "Shows the commits that the store's files still have one by one, and what they changed.",
      "Classes are those of the objects as they are now."
    })
final class LogCommand extends StoreCommand {
  private static final Pattern PLACE = Pattern.compile("([0-9]{1,18})(?:\\.([0-9]{1,9}))?");

  @Option(
      names = "--from",
      defaultValue = "0",
      paramLabel = "POSITION[.PART]",
      description = "The first record that is shown, as the last page says.")
  private String from = "";

  @Option(
      names = "--limit",
      defaultValue = "40",
      paramLabel = "N",
      description = "How many records are shown; ${DEFAULT-VALUE} if not given.")
  private long limit;

  private final Table table =
      new Table(">position", "epoch", "place", ">bytes", "state", "changed");
  private long fromPosition;
  private int fromPart;
  private long shown;
  private @Nullable String next;
  private long replayed;
  private long loaded;
  private long bytes;

  @Override
  void checkLine() {
    Matcher place = PLACE.matcher(from);
    if (!place.matches()) {
      throw wrong(
          "--from is %s; it has to be a position such as 17, or 17.2 for a part of that commit"
              .formatted(from));
    }
    fromPosition = Long.parseLong(place.group(1));
    fromPart = place.group(2) == null ? 0 : Integer.parseInt(place.group(2));
    requireAtLeast(1, "--limit", limit);
  }

  @Override
  int run(OpenedStore store) {
    try (StoredCommits commits = HeapAccess.storedCommits(directory).orElseThrow(this::none)) {
      commits.forEach(fromPosition, entry -> show(store, entry));
      if (!isJson()) {
        table.lines().forEach(this::line);
        end(commits);
      } else if (next != null) {
        Json.printLine(screen().out(), Map.of("@next", next));
      }
    }
    return PmCommand.OK;
  }

  private Failure none() {
    return new Failure(
        "a store of the engine %s keeps no record of its commits; pm log reads stores of files, on persistent memory, and tiered ones"
            .formatted(HeapAccess.engineName(directory)));
  }

  private static String place(String position, Entry entry) {
    return entry.part() > 0 ? position + "." + entry.part() : position;
  }

  private void show(OpenedStore store, Entry entry) {
    if (entry.position() == fromPosition && entry.part() < fromPart) {
      return;
    }
    replayed += entry.state() == State.TO_REPLAY ? 1 : 0;
    loaded += entry.state() == State.TO_LOAD ? 1 : 0;
    bytes += entry.bytes();
    if (shown == limit) {
      next = next == null ? place(Long.toString(entry.position()), entry) : next;
      return;
    }
    shown++;
    ChangedObjects objects = new ChangedObjects(store.heap(), store.catalogue());
    entry.changes().forEach(objects);
    Map<String, Integer> changed = objects.counts();
    if (isJson()) {
      printJson(entry, changed);
      return;
    }
    table.row(
        place(Amounts.count(entry.position()), entry),
        entry.epoch().isPresent() ? entry.epoch().getAsLong() : "",
        entry.file() + " @" + entry.offset(),
        Amounts.count(entry.bytes()),
        text(entry.state()),
        changed.entrySet().stream()
            .map(use -> ValueText.simpleName(use.getKey()) + " " + use.getValue())
            .collect(Collectors.joining(", ")));
  }

  private void printJson(Entry entry, Map<String, Integer> changed) {
    Map<String, @Nullable Object> row =
        Json.object("position", entry.position(), "part", entry.part());
    entry.epoch().ifPresent(epoch -> row.put("epoch", epoch));
    row.put("file", entry.file());
    row.put("offset", entry.offset());
    row.put("bytes", entry.bytes());
    row.put("state", text(entry.state()));
    row.put("changed", changed);
    Json.printLine(screen().out(), row);
  }

  private static String text(State state) {
    return switch (state) {
      case APPLIED -> "applied";
      case SUPERSEDED -> "superseded";
      case TO_REPLAY -> "to replay";
      case TO_LOAD -> "to load";
      case INCOMPLETE -> "incomplete";
    };
  }

  private void end(StoredCommits commits) {
    line(
        "%s, %s of %s; %s"
            .formatted(
                Amounts.of(shown, "record", "records") + " shown",
                Amounts.bytes(bytes),
                Amounts.bytes(commits.size()),
                next(commits)));
    if (next != null) {
      line("for more: --from " + next);
    }
  }

  private String next(StoredCommits commits) {
    if (loaded > 0) {
      return "each opening loads " + Amounts.of(loaded, "record", "records");
    }
    return commits.isClosed()
        ? "the store was closed, so none has to be replayed"
        : Amounts.of(replayed, "record", "records") + " to replay";
  }
}
