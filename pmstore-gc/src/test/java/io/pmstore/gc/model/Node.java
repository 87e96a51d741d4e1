package io.pmstore.gc.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongConsumer;

/**
 * What a {@link Thing} is to hold; other things by their ids, 0 where there is none. Collections
 * are null where there is none, and can be those of other nodes too.
 */
public final class Node {
  long version;
  long next;
  long other;
  List<Long> list;
  Map<Long, Long> map;
  Set<String> set;
  TreeMap<String, Long> sorted;

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
        && Objects.equals(sorted, that.sorted);
  }

  @Override
  public int hashCode() {
    return Objects.hash(version, next, other, list, map, set, sorted);
  }

  @Override
  public String toString() {
    return "version %d, next %d, other %d, list %s, map %s, set %s, sorted %s"
        .formatted(version, next, other, list, map, set, sorted);
  }
}
