package io.pmstore.core.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The chains that shapes and enum types of one class form. */
class LineageTest {
  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final Catalogue catalogue = new Catalogue(heap);

  private static Shape shape(String name, int properties) {
    List<Property> all = new ArrayList<>();
    for (int i = 0; i < properties; i++) {
      all.add(new Property("p" + i, SlotKind.LONG, "long"));
    }
    return Shape.layOut(name, "", all);
  }

  /** A shape that keeps the first property of its predecessor. */
  private Shape add(String name, int properties, int predecessor) {
    List<Origin> origins = new ArrayList<>();
    if (predecessor != 0) {
      origins.addAll(Collections.nCopies(properties, Origin.INITIAL));
      origins.set(0, Origin.stored(0));
    }
    return (Shape) catalogue.add(shape(name, properties).after(predecessor, origins));
  }

  private EnumType addEnum(String name, int predecessor, String... constants) {
    return (EnumType) catalogue.add(new EnumType(0, name, List.of(constants), predecessor));
  }

  private static void assertChain(Catalogue in, Shape... newestFirst) {
    assertEquals(List.of(newestFirst), in.lineage(newestFirst[0]));
    for (Shape shape : newestFirst) {
      assertEquals(newestFirst[0], in.newest(shape));
    }
  }

  @Test
  void theShapesOfAClassFormAChainOverItsNames() {
    Shape first = add("com.acme.Trade", 1, 0);
    Shape other = add("com.acme.Other", 1, 0);
    Shape second = add("com.acme.Trade", 2, first.id());
    Shape third = add("com.acme.Order", 3, second.id());
    assertChain(catalogue, third, second, first);
    assertChain(catalogue, other);
    assertEquals(second, catalogue.find("com.acme.Trade"));
    assertEquals(third, catalogue.find("com.acme.Order"));
    assertNull(catalogue.find("com.acme.Nothing"));
    Shape back = add("com.acme.Trade", 4, third.id());
    assertEquals(back, catalogue.find("com.acme.Trade"));
    assertChain(catalogue, back, third, second, first);
    assertChain(new Catalogue(heap), back, third, second, first);
  }

  @Test
  void ofTwoThatFollowTheSameOneTheFirstCounts() {
    Shape first = add("C", 1, 0);
    assertEquals(first, add("C", 5, 0), "a second first one");
    Shape second = add("C", 2, first.id());
    assertEquals(second, add("C", 3, first.id()));
    assertEquals(second, add("Renamed", 3, first.id()), "under another name as well");
    assertNull(catalogue.find("Renamed"));
    assertEquals(5, catalogue.entries().size());
    add("C", 6, 4);
    assertChain(new Catalogue(heap), second, first);
    assertEquals(second, catalogue.find("C"), "what follows one that does not count does not");
  }

  @Test
  void whatAnUpgradeWentThroughIsInNoLineage() {
    Shape first = add("C", 1, 0);
    Shape second = add("C", 2, first.id());
    catalogue.add(new Upgraded(0, "C", second.id()));
    assertEquals(new Upgraded(3, "C", second.id()), catalogue.entries().getLast());
    assertEquals(List.of(second), catalogue.lineage(second));
    assertEquals(second, catalogue.find("C"), "an upgrade is no shape");
    Shape third = add("Renamed", 3, second.id());
    assertEquals(List.of(third, second), catalogue.lineage(third));
    assertEquals(third, catalogue.newest(first), "older shapes still lead to the newest");
    catalogue.add(new Upgraded(0, "Renamed", third.id()));
    assertEquals(List.of(third), new Catalogue(heap).lineage(third));
  }

  @Test
  void theEntriesOfAnEnumFormAChain() {
    EnumType first = addEnum("Side", 0, "BUY", "SELL");
    EnumType second = addEnum("Side", first.id(), "BUY", "SALE", "HOLD");
    EnumType third = addEnum("Direction", second.id(), "BUY", "SALE", "HOLD");
    assertEquals(third, catalogue.newest(first));
    assertEquals(second, catalogue.find("Side"));
    assertEquals(third, new Catalogue(heap).newest(second));
    assertEquals(third, addEnum("Direction", second.id(), "BUY", "SALE", "HOLD", "X"));
    assertEquals(List.of("BUY", "SELL"), catalogue.enumType(first.id()).constants());
  }

  private void assertDamaged(CatalogueEntry entry, String part) {
    String message =
        assertThrows(StoreDamagedException.class, () -> catalogue.add(entry)).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void anEntryThatFollowsALaterOneIsDamage() {
    add("C", 1, 0);
    assertDamaged(
        shape("C", 1).after(2, List.of(Origin.INITIAL)), "it names entry 2, expected 0 to 1");
  }

  @Test
  void anEntryThatFollowsANegativeOneIsDamage() {
    assertDamaged(new EnumType(0, "E", List.of(), -1), "it names entry -1, expected 0 to 0");
  }

  @Test
  void anUpgradeToNothingIsDamage() {
    add("C", 1, 0);
    assertDamaged(new Upgraded(0, "C", 0), "it names entry 0, expected 1 to 1");
  }

  @Test
  void aShapeThatFollowsAnEnumIsDamage() {
    addEnum("E", 0, "A");
    assertDamaged(shape("C", 1).after(1, List.of(Origin.INITIAL)), "1, is no shape");
  }

  @Test
  void anUpgradeToAnEnumIsDamage() {
    addEnum("E", 0, "A");
    assertDamaged(new Upgraded(0, "C", 1), "1, is no shape");
  }

  @Test
  void anEnumThatFollowsAShapeIsDamage() {
    add("C", 1, 0);
    assertDamaged(new EnumType(0, "E", List.of("A"), 1), "1, is no enum type");
  }

  @Test
  void anEnumThatLosesNumbersIsDamage() {
    addEnum("E", 0, "A", "B");
    assertDamaged(new EnumType(0, "E", List.of("A"), 1), "as many constants");
  }

  @Test
  void anOriginOutsideOfThePredecessorIsDamage() {
    add("C", 2, 0);
    assertDamaged(
        shape("C", 1).after(1, List.of(Origin.stored(2))),
        "it takes property 2 of entry 1, which has 2 properties");
  }

  @Test
  void anOriginThatIsNotStoredHasNoIndex() {
    add("C", 2, 0);
    assertDamaged(
        shape("C", 1).after(1, List.of(new Origin(Origin.Kind.INITIAL, 1))),
        "the index of an origin INITIAL is 1, expected 0");
  }

  @Test
  void codesOfOriginsNeverChange() {
    assertEquals(1, Origin.Kind.STORED.code());
    assertEquals(2, Origin.Kind.INITIAL.code());
    assertEquals(3, Origin.Kind.FUNCTION.code());
    for (Origin.Kind kind : Origin.Kind.values()) {
      assertEquals(kind, Origin.Kind.ofCode(kind.code()));
    }
    assertThrows(StoreDamagedException.class, () -> Origin.Kind.ofCode(0));
    assertThrows(StoreDamagedException.class, () -> Origin.Kind.ofCode(4));
  }
}
