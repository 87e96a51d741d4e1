package io.pmstore.proxy.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Durability;
import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.evolution.Migrations;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.proxy.evolution.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Binding of classes to a store that has older shapes of them. */
class StoreSchemaTest {
  private static final Property SIZE = new Property("size", SlotKind.INT, "int");

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final Catalogue catalogue = new Catalogue(heap);
  private final StoreSchema schema = new StoreSchema(catalogue, new Migrations(List.of()));

  @Persistent
  @FormerNames("com.acme.Thing")
  static class Renamed {
    private long size;
  }

  @Persistent
  static class Holder {
    private List<Renamed[]> things = new ArrayList<>();
    private Side side = Side.BUY;
  }

  enum Side {
    @FormerNames("B")
    BUY,
    SELL
  }

  record Pair(long size, @FormerNames("b") String second) {}

  private Shape store(String name) {
    return catalogue.define(Shape.layOut(name, "", List.of(SIZE)));
  }

  @Test
  void anOlderShapeIsBoundToTheClassOfToday() {
    Shape first = store("com.acme.Thing");
    schema.learn(Holder.class);
    Binding binding = schema.bindingOf(first.id());
    assertEquals(Renamed.class, binding.type().type());
    assertEquals(first.id(), binding.shape().predecessor());
    assertTrue(binding.hasOlder());
    assertSame(binding, schema.bindingOf(first.id()));
    assertSame(binding, schema.bindingOf(binding.shape().id()));
    assertSame(binding, schema.bind(Renamed.class));

    ShapeMapping mapping = schema.mappingOf(first.id());
    assertSame(mapping, schema.mappingOf(first.id()));
    assertEquals(first, mapping.from());
    assertEquals(binding.shape(), mapping.to());
    assertEquals(
        new Source.Stored(
            binding.shape().properties().getFirst(), first.properties().getFirst(), SlotKind.INT),
        mapping.source(0));
  }

  @Test
  void whatWasUpgradedHasNoOlderShapes() {
    Shape first = store("com.acme.Thing");
    Shape second = schema.bind(Renamed.class).shape();
    catalogue.add(new Upgraded(0, second.className(), second.id()));
    StoreSchema later = new StoreSchema(catalogue, new Migrations(List.of()));
    assertFalse(later.bind(Renamed.class).hasOlder());
    assertEquals(second, later.bind(Renamed.class).shape());
    assertEquals(first, later.mappingOf(first.id()).from(), "a snapshot may still need it");
  }

  @Test
  void aNewClassHasNoOlderShapes() {
    assertFalse(schema.bind(Renamed.class).hasOlder());
    assertEquals(1, schema.bind(Renamed.class).shape().id());
  }

  @Test
  void aRecordIsMappedAsAClassIs() {
    Shape first =
        catalogue.define(
            Shape.layOut(
                Pair.class.getName(),
                "",
                List.of(SIZE, new Property("b", SlotKind.CELL, "java.lang.String"))));
    assertThrows(IllegalStateException.class, () -> schema.mappingOf(first.id()));
    Shape current = schema.define(ProgramClass.of(RecordClass.of(Pair.class)));
    assertEquals(List.of(Origin.stored(0), Origin.stored(1)), current.origins());
    assertEquals(current, schema.mappingOf(first.id()).to());
  }

  @Test
  void anArrayOfARenamedClassGoesOnFromTheOneBefore() {
    Shape first = schema.define(ProgramClass.ofArray(Renamed[].class)); // under the new name
    assertEquals(0, first.predecessor());
    Shape old =
        catalogue.define(
            Shape.layOut(
                "[[Lcom.acme.Thing;",
                "",
                List.of(new Property("elements", SlotKind.REFERENCE, "java.util.List"))));
    Shape current = schema.define(ProgramClass.ofArray(Renamed[][].class));
    assertEquals(old.id(), current.predecessor());
    assertEquals(Renamed[][].class, schema.classOf(old.id()));
  }

  @Test
  void objectsThatTheClassOfTheirNameDoesNotGoOnFromAreRefused() {
    schema.bind(Renamed.class);
    Shape other = store("com.acme.Thing");
    String message =
        assertThrows(ClassRefusedException.class, () -> schema.bindingOf(other.id())).getMessage();
    assertNotNull(message);
    assertTrue(message.contains("com.acme.Thing {int size}"), message);
  }

  @Test
  void constantsKeepTheirNumbersUnderNewNames() {
    EnumType stored =
        (EnumType) catalogue.add(new EnumType(0, Side.class.getName(), List.of("SELL", "B")));
    EnumNumbers numbers = schema.enumNumbers(Side.class);
    assertEquals(1, numbers.number(Side.BUY));
    assertEquals(Side.SELL, numbers.constant(0));
    assertEquals(Side.BUY, schema.enumNumbers(stored.id()).constant(1));
  }

  @Test
  void aClassWhoseEnumIsRefusedIsNotAdded() {
    catalogue.add(new EnumType(0, Side.class.getName(), List.of("GONE")));
    String message =
        assertThrows(ClassRefusedException.class, () -> schema.bind(Holder.class)).getMessage();
    assertNotNull(message);
    assertTrue(message.contains("constant GONE of the store"), message);
    assertEquals(1, catalogue.entries().size());
  }

  @Test
  void threadsThatBindAChangedClassAgree() throws Exception {
    store("com.acme.Thing");
    int threads = 4;
    CountDownLatch start = new CountDownLatch(threads);
    List<Future<Shape>> results = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        results.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return new StoreSchema(catalogue, new Migrations(List.of()))
                      .bind(Renamed.class)
                      .shape();
                }));
      }
      Shape first = results.getFirst().get();
      for (Future<Shape> result : results) {
        assertEquals(first, result.get());
      }
      assertEquals(first, new Catalogue(heap).find(Renamed.class.getName()));
    }
  }
}
