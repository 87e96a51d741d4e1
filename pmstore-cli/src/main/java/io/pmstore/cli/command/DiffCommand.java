package io.pmstore.cli.command;

import io.pmstore.cli.graph.StoreDiff;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.text.Table;
import io.pmstore.cli.value.ValueText;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "diff",
    description = {
      "Compares two copies of one store: backups of it, or a backup and the store.",
      "Objects are the same if they have the same address and class.",
      "Exit code 1 if there are differences."
    })
final class DiffCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "DIR2", description = "The other store, the later one.")
  private Path other;

  @Option(
      names = "--limit",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many differences are shown; ${DEFAULT-VALUE} if not given.")
  private int limit;

  @Override
  void checkLine() {
    requireAtLeast(0, "--limit", limit);
  }

  @Override
  int run(OpenedStore before) {
    StoreDiff diff;
    try (PmCommand.Lease lease = pm.open(other)) {
      OpenedStore after = lease.store();
      long size = before.heap().memory().writableBytes() + after.heap().memory().writableBytes();
      try (Progress progress = progress("comparing", size, Amounts::bytes)) {
        diff = StoreDiff.of(before, after, limit, progress);
      }
    }
    if (isJson()) {
      json(document(diff));
    } else {
      print(diff);
    }
    return diff.isSame() ? PmCommand.OK : PmCommand.NO;
  }

  private void print(StoreDiff diff) {
    Table table = new Table("class", ">same", ">changed", ">added", ">removed");
    diff.classes()
        .forEach(
            (name, counts) -> {
              if (!counts.isSame()) {
                table.row(
                    ValueText.shown(name),
                    Amounts.count(counts.same()),
                    Amounts.count(counts.changed()),
                    Amounts.count(counts.added()),
                    Amounts.count(counts.removed()));
              }
            });
    long same = diff.classes().values().stream().mapToLong(StoreDiff.Counts::same).sum();
    if (diff.isSame()) {
      line("no differences: " + Amounts.objects(same));
      return;
    }
    table.lines().forEach(this::line);
    diff.roots().forEach(root -> line("root " + root));
    Table changes = new Table("", "", "");
    diff.changes()
        .forEach(
            change ->
                change
                    .details()
                    .forEach(
                        detail ->
                            changes.row(
                                change.kind() + " @" + change.address(), change.what(), detail)));
    if (!changes.isEmpty()) {
      line("");
      changes.lines().forEach(this::line);
      long shown = diff.changes().size();
      if (diff.count() > shown) {
        line(
            "%s of %s differences shown; --limit shows more"
                .formatted(Amounts.count(shown), Amounts.count(diff.count())));
      }
    }
  }

  private static Map<String, @Nullable Object> document(StoreDiff diff) {
    Map<String, Object> classes = new LinkedHashMap<>();
    diff.classes().forEach((name, counts) -> classes.put(name, document(counts)));
    return Json.object(
        "same", diff.isSame(),
        "classes", classes,
        "roots", diff.roots(),
        "changes", diff.changes().stream().map(DiffCommand::document).toList(),
        "count", diff.count());
  }

  private static Map<String, @Nullable Object> document(StoreDiff.Counts counts) {
    return Json.object(
        "same", counts.same(),
        "changed", counts.changed(),
        "added", counts.added(),
        "removed", counts.removed());
  }

  private static Map<String, @Nullable Object> document(StoreDiff.Change change) {
    return Json.object(
        "kind", change.kind(),
        "address", change.address(),
        "what", change.what(),
        "details", change.details());
  }
}
