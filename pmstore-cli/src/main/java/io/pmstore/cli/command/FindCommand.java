package io.pmstore.cli.command;

import io.pmstore.StoreDamagedException;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.PathSyntaxException;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.text.Progress;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapWalk;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.proxy.generic.GenericObject;
import java.util.ArrayList;
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
  private String className;

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

  private final List<Condition> conditions = new ArrayList<>();
  private long unread;
  private @Nullable String unreadable;

  @Override
  void checkLine() {
    requireAtLeast(1, "--limit", limit);
    requireAtLeast(0, "--from", from);
    for (String text : where) {
      Condition condition;
      try {
        condition = Condition.parse(text);
      } catch (PathSyntaxException e) {
        throw wrong("--where " + text + ": " + e.getMessage());
      }
      if (condition == null) {
        throw wrong("--where %s is no condition; write it as property=value".formatted(text));
      }
      conditions.add(condition);
    }
  }

  @Override
  int run(OpenedStore store) {
    Set<Integer> shapes = ClassNames.shapes(store, className);
    conditions.forEach(condition -> condition.check(store, shapes, className));
    long size = store.heap().memory().writableBytes();
    long[] found = new long[1];
    long[] next = {-1};
    try (Progress progress = progress("searching", size, Amounts::bytes)) {
      HeapWalk walk =
          new HeapWalk(
              store.heap(),
              from,
              (home, header) -> {
                int shape = ObjectLayout.shapeId(header);
                if (next[0] < 0 && home >= from && !isKnown(store, shape)) {
                  leaveOut(home, "its shape is not in the type catalogue; see pm verify");
                } else if (next[0] < 0 && home >= from && shapes.contains(shape)) {
                  GenericObject object = (GenericObject) store.generic().at(home);
                  if (holdAll(store, object)) {
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
    for (Condition condition : conditions) {
      String fault = condition.fault();
      if (found[0] == 0 && fault != null) {
        throw new Failure(fault);
      }
    }
    end(found[0], next[0]);
    if (unread > 0) {
      screen()
          .err()
          .println(
              "pm: left out, because they or what --where asks for cannot be read: %s, the first one %s"
                  .formatted(Amounts.objects(unread), unreadable));
    }
    return PmCommand.OK;
  }

  private boolean holdAll(OpenedStore store, GenericObject object) {
    boolean all = true;
    for (Condition condition : conditions) {
      if (all || !condition.isPossible()) {
        try {
          all &= condition.holds(store, object);
        } catch (StoreDamagedException e) {
          leaveOut(object.address(), Failure.oneLine(e.getMessage()));
          return false;
        }
      }
    }
    return all;
  }

  private static boolean isKnown(OpenedStore store, int shape) {
    return shape > 0 && shape <= store.catalogue().entries().size();
  }

  private void leaveOut(long address, String why) {
    if (unread++ == 0) {
      unreadable = StorePath.ofAddress(address) + ": " + why;
    }
  }

  private void show(OpenedStore store, GenericObject object) {
    if (count) {
      return;
    }
    if (isJson()) {
      Map<String, @Nullable Object> document =
          Json.object("@address", object.address(), "@class", object.className());
      for (Property property : Values.properties(object)) {
        document.put(property.name(), Values.part(store, object.getOrDamage(property), property));
      }
      Json.printLine(screen().out(), document);
      return;
    }
    String values =
        object.valuesOrDamage().entrySet().stream()
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
