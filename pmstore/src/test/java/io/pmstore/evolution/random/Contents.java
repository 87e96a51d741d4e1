package io.pmstore.evolution.random;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** A change of what is in a collection, or nothing if the property has none. */
final class Contents {
  private final Kind kind;
  private final int way;

  Contents(Member property, int way, Object element) {
    this.kind = property.type.kind();
    this.way = element == null || isWidened(property) ? 2 : way;
  }

  /** A collection that was sorted, and may be still, takes no other keys. */
  private static boolean isWidened(Member property) {
    return switch (property.type.kind()) {
      case LIST, DEQUE, SORTED_SET, SORTED_MAP -> false;
      default -> true;
    };
  }

  /** Changes a collection of either side. */
  void change(Object collection, Object element) {
    if (collection instanceof Map<?, ?> map) {
      @SuppressWarnings("unchecked") // of anything
      Map<Object, Object> entries = (Map<Object, Object>) map;
      switch (way) {
        case 0 -> entries.put(element, "put");
        case 1 -> entries.remove(element);
        default -> entries.clear();
      }
    } else if (collection instanceof Collection<?> any) {
      @SuppressWarnings("unchecked")
      Collection<Object> elements = (Collection<Object>) any;
      switch (way) {
        case 0 -> elements.add(element);
        case 1 -> removeOne(elements, element);
        default -> elements.clear();
      }
    }
  }

  private void removeOne(Collection<Object> elements, Object element) {
    if (kind == Kind.SORTED_SET) {
      elements.remove(element);
      return;
    }
    Iterator<Object> iterator = elements.iterator();
    if (iterator.hasNext()) {
      iterator.next();
      iterator.remove();
    }
  }
}
