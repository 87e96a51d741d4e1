package io.pmstore.cli.command;

import io.pmstore.cli.graph.Census;
import io.pmstore.cli.graph.Census.ClassCount;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Table;
import io.pmstore.cli.value.ValueText;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "classes",
    description = "Counts objects and bytes by class, and how many have an older shape.")
final class ClassesCommand extends StoreCommand {
  private static final int BAR = 20;

  @Option(
      names = "--all",
      description = "Also the parts of collections, and what the heap needs itself.")
  private boolean all;

  @Override
  int run(OpenedStore store) {
    Census census = census(store);
    List<ClassCount> classes = census.classes();
    List<ClassCount> shown = classes.stream().filter(c -> all || c.isUsers()).toList();
    if (isJson()) {
      json(shown.stream().map(ClassesCommand::document).toList());
    } else {
      print(shown, classes);
    }
    census.requireWhole();
    return PmCommand.OK;
  }

  private void print(List<ClassCount> shown, List<ClassCount> classes) {
    long total = Math.max(1, classes.stream().mapToLong(ClassCount::bytes).sum());
    Table table = new Table("class", ">objects", ">bytes", ">mean", ">share", "", "shapes");
    for (ClassCount count : shown) {
      row(
          table,
          ValueText.shown(count.className()),
          count.objects(),
          count.bytes(),
          total,
          shapes(count));
    }
    List<ClassCount> rest = classes.stream().filter(c -> !shown.contains(c)).toList();
    if (!rest.isEmpty()) {
      row(
          table,
          "(collections and pmstore's own)",
          rest.stream().mapToLong(ClassCount::objects).sum(),
          rest.stream().mapToLong(ClassCount::bytes).sum(),
          total,
          "see --all");
    }
    table.lines().forEach(this::line);
  }

  private static void row(
      Table table, String name, long objects, long bytes, long total, String shapes) {
    table.row(
        name,
        Amounts.count(objects),
        Amounts.count(bytes),
        Amounts.count(Math.round((double) bytes / Math.max(1, objects))),
        Amounts.percent((double) bytes / total),
        Amounts.bar((double) bytes / total, BAR),
        shapes);
  }

  private static String shapes(ClassCount count) {
    if (count.shapes().size() == 1 && count.shapes().getFirst().age() == 0) {
      return "";
    }
    return count.shapes().stream()
        .map(
            shape ->
                (shape.age() == 0
                        ? "current"
                        : shape.age() == 1 ? "1 version old" : shape.age() + " versions old")
                    + " "
                    + Amounts.count(shape.objects()))
        .collect(Collectors.joining(", "));
  }

  private static Map<String, @Nullable Object> document(ClassCount count) {
    return Json.object(
        "class", count.className(),
        "objects", count.objects(),
        "bytes", count.bytes(),
        "shapes", count.shapes().stream().map(ClassesCommand::document).toList());
  }

  private static Map<String, @Nullable Object> document(Census.ShapeCount shape) {
    return Json.object(
        "shape", shape.shape(),
        "versionsOld", shape.age(),
        "objects", shape.objects(),
        "bytes", shape.bytes());
  }
}
