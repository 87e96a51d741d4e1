package io.pmstore.evolution;

import static io.pmstore.evolution.Versions.bean;
import static io.pmstore.evolution.Versions.call;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.Migration;
import io.pmstore.PmStoreOptions;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What becomes of records that change, also as keys. */
final class ChangedRecordsTest extends EvolutionCase {
  @Test
  void recordsChangeAlsoAsKeys() throws Exception {
    open(
        "record Place(int x, String y) {}\n"
            + bean("class Board", "Map<Place, String> pieces = new HashMap<>()", "Place last"));
    Object board = versions.store().create(versions.type("Board"));
    for (int i = -20; i < 20; i++) {
      put(call(board, "getPieces"), versions.make("Place", i, "b"), "piece" + i);
    }
    call(board, "setLast", versions.make("Place", 3, "c"));
    setOne(board);
    open(
        "record Place(@FormerNames(\"y\") String row, long x, int level) {}\n"
            + bean("class Board", "Map<Place, String> pieces = new HashMap<>()", "Place last"));
    for (int round = 0; round < 2; round++) {
      assertEquals(versions.make("Place", "c", 3L, 0), call(one(), "getLast"));
      Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
      for (int i = -20; i < 20; i++) {
        assertEquals("piece" + i, pieces.get(versions.make("Place", "b", (long) i, 0)));
        assertNull(pieces.get(versions.make("Place", "b", (long) i, 1)));
      }
      versions.store().upgrade().await();
      verify();
    }
  }

  @Test
  void recordsAsKeysAreFoundWhenAnIntegerBecomesADouble() {
    for (String[] types :
        new String[][] {{"int", "double"}, {"byte", "float"}, {"float", "double"}}) {
      String board = bean("class Board", "Map<Place, String> pieces = new HashMap<>()");
      open("record Place(%s x) {}%n".formatted(types[0]) + board);
      Object before = versions.store().create(versions.type("Board"));
      for (byte i = -3; i < 3; i++) {
        put(call(before, "getPieces"), versions.make("Place", boxed(types[0], i)), "piece" + i);
      }
      setOne(before);
      open("record Place(%s x) {}%n".formatted(types[1]) + board);
      Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
      for (byte i = -3; i < 3; i++) {
        Object place = versions.make("Place", boxed(types[1], i));
        assertEquals("piece" + i, pieces.get(place), place.toString());
        put(pieces, place, "other");
      }
      assertEquals(6, pieces.size());
      versions.close();
      start(types[0] + types[1]);
    }
  }

  private static Object boxed(String type, byte number) {
    return switch (type) {
      case "byte" -> number;
      case "int" -> (int) number;
      case "float" -> (float) number;
      default -> (double) number;
    };
  }

  /** The hash codes of records follow from their components, which are not what they were. */
  @Test
  void recordsAsKeysAreFoundWhenTheirConstructorNormalises() {
    String board = bean("class Board", "Map<Place, String> pieces = new HashMap<>()");
    open("record Place(String x, Integer y) {}\n" + board);
    storePieces(i -> versions.make("Place", "A" + i, null));
    open("record Place(String x, Integer y) { Place { x = x.toLowerCase(); } }\n" + board);
    assertPieces(i -> versions.make("Place", "A" + i, null));
    open("record Place(String x, Integer y) { Place { if (y == null) { y = 8; } } }\n" + board);
    assertPieces(i -> versions.make("Place", "A" + i, 8));
  }

  @Test
  void recordsAsKeysAreFoundWhenTheyHaveLostComponentsOrAFunctionMakesOne() throws Exception {
    String board = bean("class Board", "Map<Spot, String> pieces = new HashMap<>()");
    open("record Place(int x, String y) {}\nrecord Spot(Place place) {}\n" + board);
    storePieces(i -> versions.make("Spot", versions.make("Place", i, "y")));
    open("@Removed(\"y\") record Place(int x) {}\nrecord Spot(Place place) {}\n" + board);
    for (int round = 0; round < 2; round++) {
      assertPieces(i -> versions.make("Spot", versions.make("Place", i)));
      versions.root(); // shows the store where the classes are
      versions.store().upgrade().await();
    }
    open(
        "record Place(String x) {}\nrecord Spot(Place place) {}\n" + board,
        PmStoreOptions.defaults()
            .migrations(
                Migration.of(
                    "shop.Place", "x", (old, place) -> "x" + old.get("x", Integer.class))));
    assertPieces(i -> versions.make("Spot", versions.make("Place", "x" + i)));
  }

  private void storePieces(IntFunction<Object> key) {
    Object board = versions.store().create(versions.type("Board"));
    for (int i = 0; i < 40; i++) {
      put(call(board, "getPieces"), key.apply(i), "piece" + i);
    }
    setOne(board);
  }

  private void assertPieces(IntFunction<Object> key) {
    Map<?, ?> pieces = (Map<?, ?>) call(one(), "getPieces");
    for (int i = 0; i < 40; i++) {
      assertEquals("piece" + i, pieces.get(key.apply(i)));
      put(pieces, key.apply(i), "piece" + i);
    }
    assertNull(pieces.get(key.apply(40)));
    assertEquals(40, pieces.size());
    verify();
  }
}
