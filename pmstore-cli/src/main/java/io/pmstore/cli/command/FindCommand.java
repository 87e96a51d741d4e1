package io.pmstore.cli.command;

import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.PathException;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.value.Scalars;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "find",
    description = {
      "Finds the objects of a class, in the order of their addresses.",
      "Objects that wait for the garbage collector are found too."
    })
final class FindCommand extends StoreCommand {
  @Parameters(
      index = "1",
      paramLabel = "CLASS",
      description = "The name of the class, with or without its package.")
  private String className = "";

  @Option(
      names = "--where",
      paramLabel = "PROPERTY=VALUE",
      description =
          "Only objects with this value: customer.name=Ann, side=BUY, next=null, owner=@184320. Can"
              + " be repeated.")
  private List<String> where = new ArrayList<>();

  @Option(
      names = "--limit",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many objects are shown; ${DEFAULT-VALUE} if not given.")
  private long limit;

  @Option(
      names = "--from",
      defaultValue = "0",
      paramLabel = "ADDRESS",
      description = "Where the search begins, as the last page says.")
  private long from;

  @Option(names = "--count", description = "Only count them.")
  private boolean count;

  /** A condition. */
  private record Condition(String path, String value) {
    static Condition parse(String text) {
      int equal = text.indexOf('=');
      if (equal < 1) {
        throw new Failure("--where " + text + " has no =; write it as property=value");
      }
      return new Condition(text.substring(0, equal), text.substring(equal + 1));
    }
  }

  @Override
  int run(OpenedStore store) {
    Set<Integer> shapes = ClassNames.shapes(store, className);
    List<Condition> conditions = where.stream().map(Condition::parse).toList();
    for (Condition condition : conditions) {
      checkProperty(store, shapes, condition);
    }
    long size = store.heap().memory().writableBytes();
    long[] found = new long[1];
    long[] next = {-1};
    try (Progress progress = progress("searching", size, Amounts::bytes)) {
      HeapWalk walk =
          new HeapWalk(
              store.heap(),
              from,
              (home, header) -> {
                if (next[0] < 0 && home >= from && shapes.contains(ObjectLayout.shapeId(header))) {
                  GenericObject object = (GenericObject) store.generic().at(home);
                  if (conditions.stream().allMatch(c -> holds(store, object, c))) {
                    if (!count && found[0] == limit) {
                      next[0] = home;
                    } else {
                      found[0]++;
                      show(store, object);
                    }
                  }
                }
              });
      while (next[0] < 0 && walk.step()) {
        progress.at(walk.position());
      }
    }
    end(found[0], next[0]);
    return PmCommand.OK;
  }

  private void checkProperty(OpenedStore store, Set<Integer> shapes, Condition condition) {
    String name = condition.path().split("[.\\[]", 2)[0];
    Set<String> names =
        shapes.stream()
            .flatMap(id -> store.catalogue().shape(id).properties().stream())
            .map(property -> property.name())
            .collect(Collectors.toCollection(java.util.TreeSet::new));
    if (!names.contains(name) && !name.startsWith("\"")) {
      throw new Failure(
          "%s has no property %s; its properties are %s".formatted(className, name, names));
    }
  }

  private static boolean holds(OpenedStore store, GenericObject object, Condition condition) {
    Object value;
    try {
      value = StorePath.resolve(store.generic(), object, condition.path());
    } catch (PathException e) {
      return false; // an older shape, or null on the way
    }
    return condition.value().equals(text(value));
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case GenericEnum constant -> constant.name();
      case PersistentObject object -> "@" + GenericStore.address(object);
      default -> {
        Scalars.Scalar scalar = Scalars.of(value);
        yield scalar == null ? ValueText.of(value) : scalar.text().apply(value);
      }
    };
  }

  private void show(OpenedStore store, GenericObject object) {
    if (count) {
      return;
    }
    if (isJson()) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("@address", object.address());
      document.put("@class", object.className());
      for (Property property : Values.properties(object)) {
        document.put(property.name(), Values.part(store, object.get(property), property));
      }
      Json.printLine(screen().out(), document);
      return;
    }
    String values =
        object.values().entrySet().stream()
            .map(part -> part.getKey() + "=" + ValueText.of(part.getValue()))
            .collect(Collectors.joining("  "));
    line(StorePath.ofAddress(object.address()) + "  " + values);
  }

  private void end(long found, long next) {
    if (count && isJson()) {
      json(Map.of("count", found));
    } else if (count) {
      line(Amounts.count(found));
    } else if (isJson()) {
      if (next >= 0) {
        Json.printLine(screen().out(), Map.of("@next", next));
      }
    } else if (next >= 0) {
      line(Amounts.count(found) + " shown; for more: --from " + next);
    } else if (found == 0) {
      line("none");
    }
  }
}
