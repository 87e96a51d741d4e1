package io.pmstore.cli.command;

import io.pmstore.EvolutionReport;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Upgrade;
import io.pmstore.cli.graph.Census;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.text.Table;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "upgrade",
    description = {
      "Rewrites the objects that have an older shape of their class; with --dry-run, says what"
          + " would become of each class.",
      "Without --class-path, --dry-run counts the objects of older shapes.",
      "Exit code 1 if a class would be refused."
    })
final class UpgradeCommand extends StoreCommand {
  @Option(names = "--dry-run", description = "Change nothing.")
  private boolean dryRun;

  @Option(
      names = {"-cp", "--class-path"},
      paramLabel = "PATH",
      description = "The program's classes: directories and jars, with : between.")
  private @Nullable String classPath;

  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = "A class that the store does not have under this name yet. Can be repeated.")
  private List<String> more = new ArrayList<>();

  @Override
  void checkLine() {
    if (classPath == null && !dryRun) {
      throw wrong(
          "an upgrade runs the program's classes; give them with --class-path, or add --dry-run");
    }
    if (classPath == null && !more.isEmpty()) {
      throw wrong("--class names classes of the program; give these with --class-path");
    }
  }

  @Override
  public Integer call() throws Exception {
    checkLine();
    requireStore();
    if (classPath == null) {
      return super.call();
    }
    try (URLClassLoader loader = loader(classPath)) {
      List<Class<?>> classes = classes(loader);
      return dryRun ? dryRun(classes) : upgrade(classes);
    }
  }

  private static URLClassLoader loader(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (!Files.exists(path)) {
        throw new Failure(entry + " does not exist; --class-path takes directories and jars");
      }
      urls.add(path.toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), UpgradeCommand.class.getClassLoader());
  }

  /** Returns the classes of the store that the program has, and those of the options. */
  private List<Class<?>> classes(ClassLoader loader) {
    Set<String> names = new LinkedHashSet<>();
    try (PmCommand.Lease lease = pm.open(directory)) {
      names.addAll(ClassNames.all(lease.store()));
    }
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      Class<?> type = find(name, loader);
      if (type != null && !type.isArray()) {
        classes.add(type);
      }
    }
    for (String name : more) {
      Class<?> type = find(name, loader);
      if (type == null) {
        throw new Failure("the class path has no class " + name);
      }
      classes.add(type);
    }
    return classes;
  }

  private static @Nullable Class<?> find(String name, ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException e) {
      return null; // removed or renamed: the report says so
    }
  }

  private int dryRun(List<Class<?>> classes) {
    EvolutionReport report =
        PmStore.dryRun(directory, OpenedStore.options(directory), classes.toArray(Class<?>[]::new));
    if (isJson()) {
      json(document(report));
    } else {
      report.toString().lines().forEach(this::line);
    }
    return report.isCompatible() ? PmCommand.OK : PmCommand.NO;
  }

  private static Map<String, @Nullable Object> document(EvolutionReport report) {
    return Json.object(
        "compatible", report.isCompatible(),
        "classes", report.classes().stream().map(UpgradeCommand::document).toList(),
        "unseen", report.unseen());
  }

  private static Map<String, @Nullable Object> document(EvolutionReport.ClassChange change) {
    return Json.object(
        "class", change.className(),
        "storedAs", change.storedName(),
        "verdict", change.verdict(),
        "message", change.message(),
        "properties", change.properties().stream().map(UpgradeCommand::document).toList());
  }

  private static Map<String, @Nullable Object> document(EvolutionReport.PropertyChange property) {
    return Json.object(
        "kind", property.kind(), "before", property.before(), "after", property.after());
  }

  private int upgrade(List<Class<?>> classes) throws Exception {
    PmStoreOptions options =
        PmStoreOptions.defaults().gcInBackground(false).classes(classes.toArray(Class<?>[]::new));
    long upgraded;
    try (PmStore store = PmStore.open(directory, options);
        Progress progress = progress("upgrading", 1000, n -> n / 10 + " %")) {
      Upgrade run = store.upgrade();
      upgraded =
          Background.run(
              () -> {
                run.await();
                return run.upgraded();
              },
              seconds -> progress.step(Math.round(1000 * run.progress())));
    }
    if (isJson()) {
      json(Json.object("upgraded", upgraded));
    } else {
      line("upgraded " + Amounts.objects(upgraded));
    }
    return PmCommand.OK;
  }

  /** Counts the objects of older shapes, without the program's classes. */
  @Override
  int run(OpenedStore store) {
    Table table = new Table("class", ">objects", ">to upgrade", ">bytes");
    List<Object> rows = new ArrayList<>();
    Census census = census(store);
    for (Census.ClassCount count : census.classes()) {
      List<Census.ShapeCount> old =
          count.shapes().stream().filter(shape -> shape.age() > 0).toList();
      if (count.isUsers() && !old.isEmpty()) {
        table.row(
            count.className(),
            Amounts.count(count.objects()),
            Amounts.count(sum(old, Census.ShapeCount::objects)),
            Amounts.count(sum(old, Census.ShapeCount::bytes)));
        rows.add(
            Json.object(
                "class", count.className(),
                "objects", count.objects(),
                "toUpgrade", sum(old, Census.ShapeCount::objects),
                "bytes", sum(old, Census.ShapeCount::bytes)));
      }
    }
    if (isJson()) {
      json(rows);
    } else if (!table.isEmpty()) {
      table.lines().forEach(this::line);
    }
    census.requireWhole();
    if (table.isEmpty() && !isJson()) {
      line("all objects have the newest shape that the store knows of their classes");
    }
    return PmCommand.OK;
  }

  private static long sum(
      List<Census.ShapeCount> shapes, ToLongFunction<Census.ShapeCount> amount) {
    return shapes.stream().mapToLong(amount).sum();
  }
}
