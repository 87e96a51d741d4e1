package io.pmstore.proxy.layer;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.fixture.Isin;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Keys with the same hash code, which an attacker may choose: a look-up compares a few, however
 * many there are.
 */
class CollidingKeysTest extends StoreTest {
  private static final int KEYS = 2048;

  /** A record that is hashed by its components. */
  record Name(String first, long number) {}

  /** Values of each kind, in numbers, with one hash code. */
  enum Kind {
    STRING(CollidingKeysTest::string),
    LONG(CollidingKeysTest::number),
    DOUBLE(i -> Double.longBitsToDouble(number(i))),
    UUID(i -> new java.util.UUID(i, i)),
    BIG_INTEGER(i -> new BigInteger(string(i).getBytes(US_ASCII))),
    BIG_DECIMAL(i -> new BigDecimal((BigInteger) BIG_INTEGER.key.apply(i), 2)),
    INSTANT(i -> Instant.ofEpochSecond(number(i))),
    URI(i -> java.net.URI.create("http://host/" + string(i).replace("BB", "aA"))),
    PATH(i -> java.nio.file.Path.of(string(i).replace("BB", "aA"))),
    OPTIONAL(i -> Optional.of(string(i))),
    RECORD(i -> new Name(string(i), number(i))),
    NESTED(i -> new Shelf.Name("", "", new Name(string(i), 0)));

    private final IntFunction<Object> key;

    Kind(IntFunction<Object> key) {
      this.key = key;
    }
  }

  /** "Aa" and "BB" have one hash code, and so have all strings of such pairs. */
  private static String string(int i) {
    StringBuilder string = new StringBuilder();
    for (int bit = 0; bit < 12; bit++) {
      string.append((i >>> bit & 1) == 0 ? "Aa" : "BB");
    }
    return string.toString();
  }

  private static long number(int i) {
    return (long) i << 32 | i;
  }

  @ParameterizedTest
  @EnumSource
  void areFoundInShortChains(Kind kind) {
    Shelf shelf = store().root(Shelf.class);
    Map<Object, Object> map = shelf.getMap();
    Set<Object> set = shelf.getSet();
    store()
        .transaction(
            () -> {
              for (int i = 0; i < KEYS; i++) {
                assertNull(map.put(kind.key.apply(i), i));
                assertTrue(set.add(kind.key.apply(i)));
              }
            });
    reopen();
    Map<Object, Object> found = store().root(Shelf.class).getMap();
    Set<Object> foundSet = store().root(Shelf.class).getSet();
    int longest = longestChain(found);
    assertTrue(longest <= 4, longest + " entries in a chain");
    assertEquals(KEYS, found.size());
    store()
        .transaction(
            () -> {
              for (int i = 0; i < KEYS; i++) {
                assertEquals(i, found.get(kind.key.apply(i)));
                assertFalse(foundSet.add(kind.key.apply(i)));
                assertNull(found.get(kind.key.apply(KEYS + i)));
              }
            });
    assertEquals(KEYS, found.keySet().stream().distinct().count());
    store()
        .transaction(
            () -> {
              for (int i = 0; i < KEYS; i++) {
                assertEquals(i, found.remove(kind.key.apply(i)));
                assertTrue(foundSet.remove(kind.key.apply(i)));
              }
            });
    assertTrue(found.isEmpty() && foundSet.isEmpty());
  }

  @Test
  void equalUrisAreOneKeyHoweverTheyAreWritten() {
    Set<Object> set = store().root(Shelf.class).getSet();
    List<URI> differing =
        List.of(
            URI.create("file:/a/B"),
            URI.create("http://Host/a%2f"),
            URI.create("MAILTO:a@b"),
            URI.create("http://x/y?q#f"));
    List<URI> equal =
        List.of(
            URI.create("file:///a/B"),
            URI.create("HTTP://hosT/a%2F"),
            URI.create("mailto:a@b"),
            URI.create("http://X/y?q#f"));
    for (int i = 0; i < differing.size(); i++) {
      assertEquals(differing.get(i), equal.get(i));
      assertTrue(set.add(differing.get(i)));
      assertTrue(set.contains(equal.get(i)), "another way to write " + differing.get(i));
    }
    store()
        .transaction(
            () -> {
              for (int i = 0; i < 100; i++) {
                String path = string(i).replace("BB", "aA");
                assertTrue(set.add(URI.create("http://host/%2f" + path)));
                assertFalse(set.add(URI.create("Http://HOST/%2F" + path)));
              }
            });
  }

  /** What keeps its hash code to itself shares a chain, and is found all the same. */
  @Test
  void ofClassesThatHashThemselvesAreFoundToo() {
    Shelf shelf = store().root(Shelf.class);
    store()
        .transaction(
            () -> {
              for (int i = 0; i < 300; i++) {
                shelf.getMap().put(new Isin(string(i)), i);
                shelf.getMap().put(string(i), -i);
              }
            });
    reopen();
    Map<Object, Object> map = store().root(Shelf.class).getMap();
    for (int i = 0; i < 300; i++) {
      assertEquals(i, map.get(new Isin(string(i))));
      assertEquals(-i, map.get(string(i)));
    }
    assertEquals(300, longestChain(map));
  }

  private int longestChain(Map<Object, Object> map) {
    Heap heap = store().heap;
    long address = ((HeapObject) ((PersistentObject) map).pmstoreHandle()).address();
    return heap.read(() -> longestChain(heap, heap.getLong(address, 8)));
  }

  /** Below a slot, as docs/format-collections.md has it. */
  private static int longestChain(Heap heap, long slot) {
    long at = slot & -8;
    int longest = 0;
    switch ((int) (slot & 7)) {
      case 1 -> {
        for (int i = 0; i < 16; i++) {
          longest = Math.max(longest, longestChain(heap, heap.getLong(at, 8 + 8 * i)));
        }
      }
      case 2 -> longest = longestChain(heap, heap.getLong(at, 8));
      default -> {
        for (long entry = at; entry != 0; entry = heap.getLong(entry, 16)) {
          longest++;
        }
      }
    }
    return longest;
  }
}
