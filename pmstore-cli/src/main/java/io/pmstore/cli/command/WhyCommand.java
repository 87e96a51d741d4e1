package io.pmstore.cli.command;

import io.pmstore.cli.graph.WhyAlive;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.text.Table;
import io.pmstore.cli.value.ValueText;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "why",
    description = {
      "Shows why an object is alive: the shortest path from a root to it, and what it alone keeps.",
      "Exit code 1 if no root reaches it."
    })
final class WhyCommand extends StoreCommand {
  @Parameters(
      index = "1",
      paramLabel = "ADDRESS|PATH",
      description = "An address, such as 184320, or a path.")
  private String object;

  private String path() {
    return object.matches("[0-9]+|0x[0-9a-fA-F]+") ? "@" + object : object;
  }

  @Override
  void checkLine() {
    requirePath(path());
  }

  @Override
  int run(OpenedStore store) {
    String path = path();
    if (!(StorePath.resolve(store.generic(), path) instanceof PersistentObject target)) {
      throw new Failure(
          path + " is a value, which lives in its object; ask for the object that has it");
    }
    long address = GenericStore.address(target);
    WhyAlive.Path found;
    WhyAlive.Retained retained = null;
    try (Progress progress = progress("searching", 0, Amounts::objects)) {
      WhyAlive why = new WhyAlive(store, progress);
      found = why.path(address);
      if (!found.first().isEmpty()) {
        retained = why.retained(address);
      }
    }
    if (retained == null) {
      unreachable(target);
      return PmCommand.NO;
    }
    if (isJson()) {
      json(document(store, found, retained));
      return PmCommand.OK;
    }
    Table table = new Table("", "");
    rows(table, found.first());
    if (found.omitted() > 0) {
      table.row("... %s between".formatted(Amounts.objects(found.omitted())), "");
    }
    rows(table, found.last());
    table.lines().forEach(this::line);
    line(
        "it alone keeps %s, %s"
            .formatted(Amounts.objects(retained.objects()), Amounts.bytes(retained.bytes())));
    return PmCommand.OK;
  }

  private static void rows(Table table, List<WhyAlive.Link> links) {
    links.forEach(link -> table.row(link.path(), ValueText.of(link.object())));
  }

  private void unreachable(PersistentObject target) {
    if (isJson()) {
      json(Json.object("reachable", false, "path", List.of()));
    } else {
      line(
          ValueText.of(target)
              + " is garbage: no root reaches it. The collector frees it when a program has the"
              + " store open");
    }
  }

  private static Map<String, @Nullable Object> document(
      OpenedStore store, WhyAlive.Path found, WhyAlive.Retained retained) {
    return Json.object(
        "reachable", true,
        "path",
            Stream.concat(found.first().stream(), found.last().stream())
                .map(link -> document(store, link))
                .toList(),
        "omitted", found.omitted(),
        "retainedObjects", retained.objects(),
        "retainedBytes", retained.bytes());
  }

  private static Map<String, @Nullable Object> document(OpenedStore store, WhyAlive.Link link) {
    return Json.object("path", link.path(), "object", Values.part(store, link.object()));
  }
}
