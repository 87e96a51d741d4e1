package io.pmstore.cli.graph;

import io.pmstore.cli.text.Amounts;
import io.pmstore.cli.value.Elements;
import io.pmstore.cli.value.ValueText;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericStore;
import io.pmstore.spi.PersistentObject;
import java.net.URL;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares values of two copies of one store: objects are the same if their addresses are. */
final class Contents {
  private static final int KEYS_MAX = 1_000_000;

  private Contents() {}

  static boolean isSame(@Nullable Object one, @Nullable Object other) {
    if (one instanceof PersistentObject a && other instanceof PersistentObject b) {
      return GenericStore.address(a) == GenericStore.address(b);
    }
    return Objects.deepEquals(comparable(one), comparable(other));
  }

  /** Returns what stands for a value of either copy. */
  private static @Nullable Object comparable(@Nullable Object value) {
    return switch (value) {
      case PersistentObject object -> new Address(GenericStore.address(object));
      case GenericEnum constant -> constant.type().className() + "." + constant.number();
      case GenericRecord record -> {
        Map<String, @Nullable Object> parts = new HashMap<>();
        record.values().forEach((name, part) -> parts.put(name, comparable(part)));
        yield List.of(record.className(), parts);
      }
      case GenericArray array -> array.elements().stream().map(Contents::comparable).toList();
      // One has no equals of its own, the other one asks the network.
      case Pattern pattern -> List.of(Pattern.class, pattern.flags(), pattern.pattern());
      case URL url -> List.of(URL.class, url.toExternalForm());
      case Object array when array.getClass().isArray() -> // of primitive elements
          Arrays.deepToString(new Object[] {array});
      case null, default -> value;
    };
  }

  private record Address(long address) {}

  /** Returns what differs between two states of a collection; empty if nothing does. */
  static List<String> differences(Object one, Object other) {
    Iterator<?> before = Elements.of(one);
    Iterator<?> after = Elements.of(other);
    long same = 0;
    while (before.hasNext() && after.hasNext()) {
      Object a = before.next();
      Object b = after.next();
      if (!isSameElement(a, b)) {
        return List.of(described(one, other, same));
      }
      same++;
    }
    return before.hasNext() || after.hasNext() ? List.of(described(one, other, same)) : List.of();
  }

  private static boolean isSameElement(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Map.Entry<?, ?> a && other instanceof Map.Entry<?, ?> b) {
      return isSame(a.getKey(), b.getKey()) && isSame(a.getValue(), b.getValue());
    }
    return isSame(one, other);
  }

  private static String described(Object one, Object other, long same) {
    int before = ValueText.size(one);
    int after = ValueText.size(other);
    if (one instanceof List || Math.max(before, after) - same > KEYS_MAX) {
      return "%s -> %s elements, from the %s on"
          .formatted(Amounts.count(before), Amounts.count(after), "element " + Amounts.count(same));
    }
    Map<@Nullable Object, @Nullable Object> left = rest(one, same);
    long added = 0;
    long changed = 0;
    String first = "";
    Iterator<?> elements = Elements.of(other);
    for (long i = 0; elements.hasNext(); i++) {
      Object element = elements.next();
      if (i < same) {
        continue;
      }
      Object key = key(element);
      if (!left.containsKey(key)) {
        first = added++ == 0 ? ", first " + text(element) : first;
      } else if (!Objects.deepEquals(left.remove(key), value(element))) {
        changed++;
      }
    }
    return "%s -> %s elements: %s added%s, %s changed, %s removed"
        .formatted(
            Amounts.count(before),
            Amounts.count(after),
            Amounts.count(added),
            first,
            Amounts.count(changed),
            Amounts.count(left.size()));
  }

  private static Map<@Nullable Object, @Nullable Object> rest(Object collection, long from) {
    Map<@Nullable Object, @Nullable Object> rest = new HashMap<>();
    Iterator<?> elements = Elements.of(collection);
    for (long i = 0; elements.hasNext(); i++) {
      Object element = elements.next();
      if (i >= from) {
        rest.put(key(element), value(element));
      }
    }
    return rest;
  }

  private static @Nullable Object key(@Nullable Object element) {
    return element instanceof Map.Entry<?, ?> entry
        ? comparable(entry.getKey())
        : comparable(element);
  }

  private static @Nullable Object value(@Nullable Object element) {
    return element instanceof Map.Entry<?, ?> entry ? comparable(entry.getValue()) : null;
  }

  private static String text(@Nullable Object element) {
    return element instanceof Map.Entry<?, ?> entry
        ? ValueText.of(entry.getKey()) + " = " + ValueText.of(entry.getValue())
        : ValueText.of(element);
  }
}
