package io.pmstore.cli.command;

import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.value.Elements;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericDamage;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "show",
    description = "Shows the object that a path leads to; without a path, the roots.")
final class ShowCommand extends StoreCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "PATH",
      description = "Such as exchange.orders[17].reports[0].price, or @184320 for an address.")
  private @Nullable String path;

  @Option(
      names = "--depth",
      defaultValue = "1",
      paramLabel = "N",
      description = "How many levels of objects are shown; ${DEFAULT-VALUE} if not given.")
  private int depth;

  @Option(
      names = "--offset",
      defaultValue = "0",
      paramLabel = "N",
      description = "The first element of a collection that is shown.")
  private long offset;

  @Option(
      names = "--limit",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many elements of a collection are shown; ${DEFAULT-VALUE} if not given.")
  private int limit;

  private final Set<Long> shown = new HashSet<>();

  @Override
  void checkLine() {
    requireAtLeast(1, "--depth", depth);
    requireAtLeast(0, "--offset", offset);
    requireAtLeast(1, "--limit", limit);
    if (path != null) {
      requirePath(path);
    }
  }

  @Override
  int run(OpenedStore store) {
    if (path == null) {
      roots(store);
      return PmCommand.OK;
    }
    Object value = StorePath.resolve(store.generic(), path);
    if (value instanceof GenericDamage damage) {
      throw new Failure(damage.message());
    }
    if (isJson()) {
      json(document(store, value));
    } else {
      print(store, path, value);
    }
    return PmCommand.OK;
  }

  private void roots(OpenedStore store) {
    Map<String, Object> document = new LinkedHashMap<>();
    store
        .generic()
        .roots()
        .forEach(
            (name, address) -> {
              PersistentObject root = address == 0 ? null : store.generic().at(address);
              document.put(name, Values.part(store, root));
              if (!isJson()) {
                line(StorePath.ofRoot(name) + "  " + ValueText.of(root));
              }
            });
    if (isJson()) {
      json(document);
    } else if (document.isEmpty()) {
      line("the store has no roots");
    }
  }

  // ---- text

  private void print(OpenedStore store, String path, @Nullable Object value) {
    switch (value) {
      case GenericObject object -> {
        line(
            "%s  %s @%d, %s%s"
                .formatted(
                    path,
                    object.className(),
                    object.address(),
                    size(store, object),
                    shape(store, object)));
        parts(object, "  ", depth, 0);
      }
      case PersistentObject collection -> {
        line(path + "  " + ValueText.of(collection));
        parts(collection, "  ", depth, offset);
      }
      case GenericRecord record -> {
        line(path + "  " + record.className());
        parts(record, "  ", depth, 0);
      }
      case GenericArray array -> {
        line(path + "  " + ValueText.of(array));
        parts(array, "  ", depth, offset);
      }
      case String text -> line(path + "  " + ValueText.quoted(text, Integer.MAX_VALUE));
      case null, default ->
          line(
              path
                  + "  "
                  + (value == null ? "" : ValueText.simpleName(value.getClass().getName()) + "  ")
                  + ValueText.of(value));
    }
  }

  private static String size(OpenedStore store, GenericObject object) {
    String fault = sizeFault(store, object);
    return fault == null ? Amounts.bytes(object.size()) : "damaged: " + fault;
  }

  /** Returns what is wrong with the size in an object's header, or null. */
  private static @Nullable String sizeFault(OpenedStore store, GenericObject object) {
    if (GenericStore.isOwn(object.shape())) {
      return null; // nodes have several sizes
    }
    int least = object.shape().size();
    int most = least; // or that of an older shape, if the object was upgraded in place
    for (Shape shape : ClassNames.ofClass(store, object.shape())) {
      most = Math.max(most, shape.size());
    }
    int size = object.size();
    if (size >= least && size <= most) {
      return null;
    }
    return "its header gives it %,d bytes, expected %s; restore the store from a backup"
        .formatted(
            size, least == most ? "%,d".formatted(least) : "%,d to %,d".formatted(least, most));
  }

  private static String shape(OpenedStore store, GenericObject object) {
    return store.catalogue().newest(object.shape()).equals(object.shape())
        ? ""
        : ", of an older shape: " + object.shape().className() + " #" + object.shape().id();
  }

  /** Prints what a value consists of. */
  private void parts(Object value, String indent, int levels, long from) {
    if (value instanceof PersistentObject object && !shown.add(GenericStore.address(object))) {
      line(indent + "(shown above)");
      return;
    }
    switch (value) {
      case GenericObject object -> named(object.valuesOrDamage(), indent, levels);
      case GenericRecord record -> named(record.values(), indent, levels);
      case GenericArray array ->
          elements(array.elements().iterator(), array.elements().size(), indent, levels, from);
      case Map<?, ?> map -> entries(map, indent, levels, from);
      case List<?> list when from > 0 -> {
        long first = Math.min(from, list.size());
        page(list.listIterator((int) first), list.size(), indent, levels, first);
      }
      case Collection<?> elements ->
          elements(Elements.of(elements, from + limit), elements.size(), indent, levels, from);
      default -> throw new IllegalArgumentException("a value without parts: " + value);
    }
  }

  private void named(Map<String, ? extends @Nullable Object> parts, String indent, int levels) {
    int width = parts.keySet().stream().mapToInt(String::length).max().orElse(0);
    parts.forEach(
        (name, part) -> {
          line(indent + name + " ".repeat(width - name.length()) + "  " + ValueText.of(part));
          deeper(part, indent, levels);
        });
  }

  private void deeper(@Nullable Object part, String indent, int levels) {
    if (part != null && hasParts(part) && levels > 1) {
      parts(part, indent + "    ", levels - 1, 0);
    }
  }

  private static boolean hasParts(Object value) {
    return value instanceof PersistentObject; // records and arrays are shown in line
  }

  private void entries(Map<?, ?> map, String indent, int levels, long from) {
    Iterator<?> entries = Elements.of(map, from + limit);
    long position = skip(entries, from);
    List<String> keys = new ArrayList<>();
    List<@Nullable Object> values = new ArrayList<>();
    while (entries.hasNext() && keys.size() < limit) {
      Object entry = entries.next();
      keys.add("[" + ValueText.of(Elements.key(entry)) + "]");
      values.add(Elements.value(entry));
    }
    int width = keys.stream().mapToInt(String::length).max().orElse(0);
    for (int i = 0; i < keys.size(); i++) {
      line(
          indent
              + keys.get(i)
              + " ".repeat(width - keys.get(i).length())
              + "  "
              + ValueText.of(values.get(i)));
      deeper(values.get(i), indent, levels);
    }
    rest(indent, position, position + keys.size(), map.size());
  }

  private void elements(Iterator<?> elements, int size, String indent, int levels, long from) {
    page(elements, size, indent, levels, skip(elements, from));
  }

  private void page(Iterator<?> elements, int size, String indent, int levels, long from) {
    long position = from;
    int width = Long.toString(Math.min(size, from + limit)).length();
    while (elements.hasNext() && position < from + limit) {
      Object element = elements.next();
      String index = "[" + position++ + "]";
      line(
          indent
              + index
              + " ".repeat(Math.max(0, width + 2 - index.length()))
              + "  "
              + ValueText.of(element));
      deeper(element, indent, levels);
    }
    rest(indent, from, position, size);
  }

  private static long skip(Iterator<?> elements, long n) {
    long position = 0;
    for (; position < n && elements.hasNext(); position++) {
      Object _ = elements.next();
    }
    return position;
  }

  private void rest(String indent, long from, long to, int size) {
    if (from == to && size > 0) {
      line(indent + "none: there are " + Amounts.count(size));
    } else if (to < size || from > 0) {
      line(
          "%s%s to %s of %s%s"
              .formatted(
                  indent,
                  Amounts.count(from),
                  Amounts.count(to - 1),
                  Amounts.count(size),
                  to < size ? "; for more: --offset " + to : ""));
    }
  }

  // ---- JSON

  private Map<String, @Nullable Object> document(OpenedStore store, @Nullable Object value) {
    return Json.object(
        "path", path, "value", value == null ? null : levels(store, value, depth, offset));
  }

  private Object levels(OpenedStore store, Object value, int levels, long from) {
    if (levels == 0
        || (value instanceof PersistentObject object && !shown.add(GenericStore.address(object)))) {
      return Values.part(store, value);
    }
    return switch (value) {
      case GenericObject object -> {
        Map<String, @Nullable Object> document =
            Json.object("@address", object.address(), "@class", object.className());
        if (!store.catalogue().newest(object.shape()).equals(object.shape())) {
          document.put("@shape", object.shape().id());
        }
        String fault = sizeFault(store, object);
        if (fault != null) {
          document.put("@damaged", fault);
        }
        Values.properties(object)
            .forEach(
                property -> {
                  Object part = object.getOrDamage(property);
                  document.put(
                      property.name(),
                      part instanceof PersistentObject
                          ? below(store, part, levels)
                          : Values.part(store, part, property));
                });
        yield document;
      }
      case Map<?, ?> map -> {
        Iterator<?> entries = Elements.of(map, from + limit);
        long first = skip(entries, from);
        List<Object> rows = new ArrayList<>();
        while (entries.hasNext() && rows.size() < limit) {
          Object entry = entries.next();
          List<@Nullable Object> row = new ArrayList<>();
          row.add(Values.part(store, Elements.key(entry)));
          row.add(below(store, Elements.value(entry), levels));
          rows.add(row);
        }
        yield page(value, first, "entries", rows);
      }
      case Collection<?> elements -> {
        Iterator<?> all =
            elements instanceof List<?> list
                ? list.listIterator((int) Math.min(from, list.size()))
                : Elements.of(elements, from + limit);
        long first = elements instanceof List ? Math.min(from, elements.size()) : skip(all, from);
        List<@Nullable Object> rows = new ArrayList<>();
        while (all.hasNext() && rows.size() < limit) {
          rows.add(below(store, all.next(), levels));
        }
        yield page(value, first, "elements", rows);
      }
      default -> Values.part(store, value);
    };
  }

  private @Nullable Object below(OpenedStore store, @Nullable Object part, int levels) {
    return part instanceof PersistentObject
        ? levels(store, part, levels - 1, 0)
        : Values.part(store, part);
  }

  private static Map<String, @Nullable Object> page(
      Object collection, long from, String name, List<? extends @Nullable Object> rows) {
    Map<String, @Nullable Object> document =
        Json.object(
            "@address", GenericStore.address((PersistentObject) collection),
            "@collection", ValueText.kind(collection),
            "size", ValueText.size(collection),
            "offset", from);
    document.put(name, rows);
    return document;
  }
}
