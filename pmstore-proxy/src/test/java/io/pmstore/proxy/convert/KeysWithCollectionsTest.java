package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plain maps and sets whose keys hash and compare by collections of their own. */
class KeysWithCollectionsTest extends StoreTest {
  /** Differs from others in what its collections hold only. */
  @Persistent
  static class Tag {
    private Set<Object> names = new HashSet<>();
    private List<Object> places = new ArrayList<>();
    private Map<Object, Integer> counts = new LinkedHashMap<>();

    Set<Object> getNames() {
      return names;
    }

    List<Object> getPlaces() {
      return places;
    }

    Map<Object, Integer> getCounts() {
      return counts;
    }

    @Override
    public boolean equals(@Nullable Object o) {
      return o instanceof Tag other
          && getNames().equals(other.getNames())
          && getPlaces().equals(other.getPlaces())
          && getCounts().equals(other.getCounts());
    }

    @Override
    public int hashCode() {
      return Objects.hash(getNames(), getPlaces(), getCounts());
    }
  }

  @Persistent(root = "box")
  static class Box {
    private @Nullable Object contents;

    @Nullable Object getContents() {
      return contents;
    }

    void setContents(@Nullable Object contents) {
      this.contents = contents;
    }
  }

  /** Returns four keys, of one kind of collection each. */
  private static List<Tag> tags(int kind, Object... values) {
    List<Tag> tags = new ArrayList<>();
    for (Object value : values) {
      Tag tag = new Tag();
      switch (kind) {
        case 0 -> tag.names.add(value);
        case 1 -> tag.places.add(value);
        default -> tag.counts.put(value, 7);
      }
      tags.add(tag);
    }
    return tags;
  }

  private void assertKept(List<Tag> tags) {
    store().root(Box.class).setContents(new HashSet<>(tags));
    Set<?> set = (Set<?>) store().root(Box.class).getContents();
    assertNotNull(set);
    assertEquals(tags.size(), set.size());
    for (Object element : set) {
      assertTrue(set.contains(element));
    }
    Map<Tag, Integer> numbers = new HashMap<>();
    tags.forEach(tag -> numbers.put(tag, numbers.size()));
    Map<String, Object> holder = new HashMap<>(Map.of("numbers", numbers, "keys", tags));
    store().root(Box.class).setContents(holder);
    reopen();
    Map<?, ?> stored = (Map<?, ?>) store().root(Box.class).getContents();
    assertNotNull(stored);
    Map<?, ?> found = (Map<?, ?>) Objects.requireNonNull(stored.get("numbers"));
    assertEquals(tags.size(), found.size());
    int number = 0;
    for (Object key : (List<?>) Objects.requireNonNull(stored.get("keys"))) {
      assertEquals(number++, found.get(key));
    }
  }

  @Test
  void allKeysAreKept() {
    for (int kind = 0; kind < 3; kind++) {
      assertKept(tags(kind, "a", "b", "c", "d"));
    }
  }

  @Test
  void keysMayHaveSuchKeysThemselves() {
    for (int outer = 0; outer < 3; outer++) {
      for (int inner = 0; inner < 3; inner++) {
        List<Tag> innermost = tags(inner, "a", "b", "c", "d");
        assertKept(tags(outer, tags(inner, innermost.toArray()).toArray()));
      }
    }
  }

  @Test
  void aLongChainOfMapsNeedsNoStack() {
    int length = 50_000;
    Map<String, Object> first = new HashMap<>();
    Map<String, Object> last = first;
    for (int i = 1; i < length; i++) {
      Map<String, Object> next = new HashMap<>();
      last.put("next", next);
      last = next;
    }
    store().root(Box.class).setContents(first);
    int maps = 0;
    for (Object map = store().root(Box.class).getContents(); map != null; maps++) {
      map = ((Map<?, ?>) map).get("next");
    }
    assertEquals(length, maps);
  }
}
