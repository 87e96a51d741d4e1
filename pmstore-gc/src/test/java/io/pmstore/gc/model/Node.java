package io.pmstore.gc.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * The expected contents of a {@link Thing}. Other things appear by their ids, 0 for none. A
 * collection is null if there is none, and may be shared with other nodes.
 */
public final class Node {
  long version;
  long next;
  long other;
  List<Long> list;
  Map<Long, Long> map;
  Set<String> set;
  TreeMap<String, Long> sorted;
  LinkedHashMap<String, Long> linked;

  /** How often it was written. */
  public long version() {
    return version;
  }

  /** As it is now; shares nothing with the original. */
  Node copy() {
    Node copy = new Node();
    copy.version = version;
    copy.next = next;
    copy.other = other;
    copy.list = list == null ? null : new ArrayList<>(list);
    copy.map = map == null ? null : new HashMap<>(map);
    copy.set = set == null ? null : new HashSet<>(set);
    copy.sorted = sorted == null ? null : new TreeMap<>(sorted);
    copy.linked = linked == null ? null : new LinkedHashMap<>(linked);
    return copy;
  }

  void forEachTarget(LongConsumer visitor) {
    LongConsumer present =
        id -> {
          if (id != 0) {
            visitor.accept(id);
          }
        };
    present.accept(next);
    present.accept(other);
    if (list != null) {
      list.forEach(present::accept);
    }
    if (map != null) {
      map.values().forEach(present::accept);
    }
    if (sorted != null) {
      sorted.values().forEach(present::accept);
    }
    if (linked != null) {
      linked.values().forEach(present::accept);
    }
  }

  @Override
  public boolean equals(Object object) {
    return object instanceof Node that
        && version == that.version
        && next == that.next
        && other == that.other
        && Objects.equals(list, that.list)
        && Objects.equals(map, that.map)
        && Objects.equals(set, that.set)
        && Objects.equals(sorted, that.sorted)
        && Objects.equals(inOrder(), that.inOrder());
  }

  /** The entries of the linked map in their order. */
  private List<Entry<String, Long>> inOrder() {
    return linked == null ? null : List.copyOf(linked.entrySet());
  }

  @Override
  public int hashCode() {
    return Objects.hash(version, next, other, list, map, set, sorted, inOrder());
  }

  @Override
  public String toString() {
    return "version %d, next %d, other %d, list %s, map %s, set %s, sorted %s, linked %s"
        .formatted(version, next, other, list, map, set, sorted, linked);
  }
}
