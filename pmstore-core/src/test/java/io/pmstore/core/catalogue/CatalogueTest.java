package io.pmstore.core.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Durability;
import io.pmstore.NotPersistableException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.ReadOnlyEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogueTest {
  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final Catalogue catalogue = new Catalogue(heap);

  private static Shape order() {
    return Shape.layOut(
        "com.acme.Order",
        "com.acme.Base",
        List.of(
            new Property("side", SlotKind.CHAR, "char"),
            new Property("symbol", SlotKind.CELL, "java.lang.String"),
            new Property("active", SlotKind.BOOLEAN, "boolean"),
            new Property("quantity", SlotKind.LONG, "long"),
            new Property("account", SlotKind.REFERENCE, "com.acme.Account"),
            new Property("kind", SlotKind.ENUM, "com.acme.Kind")));
  }

  @Test
  void aLayoutHasTheWidestFirstAndNoGaps() {
    Shape shape = order();
    assertEquals(
        List.of("symbol@8", "account@24", "quantity@32", "kind@40", "side@44", "active@46"),
        shape.properties().stream().map(p -> p.name() + "@" + p.offset()).toList());
    assertEquals(48, shape.size());
  }

  @Test
  void aNameThatIsNoUnicodeIsRefused() {
    for (CatalogueEntry entry :
        List.of(
            Shape.layOut("C\ud800", "", List.of()),
            Shape.layOut("C", "", List.of(new Property("\udc00", SlotKind.INT, "int"))),
            new EnumType(1, "E", List.of("A", "\ud800"), 0))) {
      String message =
          assertThrows(NotPersistableException.class, () -> CatalogueLayout.encode(entry))
              .getMessage();
      assertTrue(message.contains("half of a surrogate pair"), message);
    }
  }

  @Test
  void aLayoutDependsOnThePropertiesAndNotOnTheirOrder() {
    List<Property> shuffled = new ArrayList<>(order().properties());
    Collections.shuffle(shuffled, new Random(3));
    assertEquals(order(), Shape.layOut("com.acme.Order", "com.acme.Base", shuffled));
  }

  @Test
  void everySlotIsAlignedInEveryShape() {
    Random random = new Random(7);
    for (int n = 0; n < 200; n++) {
      List<Property> properties = new ArrayList<>();
      for (int i = 0; i < random.nextInt(40); i++) {
        SlotKind kind = SlotKind.values()[random.nextInt(SlotKind.values().length)];
        properties.add(new Property("p" + i, kind, ""));
      }
      Shape shape = Shape.layOut("C", "", properties);
      int end = 8;
      for (Property property : shape.properties()) {
        assertEquals(0, property.offset() % Math.min(8, property.kind().width()), shape::toString);
        assertEquals(end, property.offset(), shape::toString);
        end += property.kind().width();
      }
      assertTrue(shape.size() >= end && shape.size() < end + 8);
    }
  }

  @Test
  void codesOfKindsNeverChange() {
    assertEquals(
        "BOOLEAN 1 1, BYTE 2 1, SHORT 3 2, CHAR 4 2, INT 5 4, LONG 6 8, FLOAT 7 4, DOUBLE 8 8,"
            + " REFERENCE 9 8, ENUM 10 4, CELL 11 16, BOOLEAN_WORD 12 8, BYTE_WORD 13 8, SHORT_WORD"
            + " 14 8, CHARACTER_WORD 15 8, INTEGER_WORD 16 8, LONG_WORD 17 8, FLOAT_WORD 18 8,"
            + " DECIMAL_WORD 19 8, INSTANT_WORD 20 8, DURATION_WORD 21 8, DATE_WORD 22 8, TIME_WORD"
            + " 23 8, DATE_TIME_WORD 24 8",
        String.join(
            ", ",
            Arrays.stream(SlotKind.values())
                .map(kind -> kind + " " + kind.code() + " " + kind.width())
                .toList()));
    for (SlotKind kind : SlotKind.values()) {
      assertEquals(kind, SlotKind.ofCode(kind.code()));
    }
    assertThrows(StoreDamagedException.class, () -> SlotKind.ofCode(0));
    assertThrows(StoreDamagedException.class, () -> SlotKind.ofCode(25));
  }

  @Test
  void entriesAreThereAfterReopening() {
    Shape shape = catalogue.define(order());
    EnumType kind = addEnum("com.acme.Kind", 0, "A", "B");
    assertEquals(1, shape.id());
    assertEquals(2, kind.id());
    Catalogue again = new Catalogue(heap);
    assertEquals(shape, again.shape(1));
    assertEquals(kind, again.enumType(2));
    assertEquals(List.of(shape, kind), again.entries());
    assertEquals(shape, again.define(order()), "known by now");
    assertEquals(2, again.entries().size());
  }

  @Test
  void aMarkIsForAllShapesOfItsChain() {
    Shape first = catalogue.define(order());
    List<Origin> origins = first.properties().stream().map(property -> Origin.INITIAL).toList();
    Shape second = (Shape) catalogue.add(first.after(first.id(), origins));
    Shape other = catalogue.define(Shape.layOut("com.acme.Other", "", List.of()));
    assertFalse(catalogue.hasOwnHash(first));
    catalogue.markOwnHash(second);
    Shape planned =
        Shape.layOut("com.acme.Trade", "", first.properties()).after(second.id(), origins);
    assertTrue(catalogue.hasOwnHash(planned), "not in the catalogue yet");
    Shape third = (Shape) catalogue.add(planned);
    for (Catalogue each : List.of(catalogue, new Catalogue(heap))) {
      for (Shape shape : List.of(first, second, third)) {
        assertTrue(each.hasOwnHash(shape), shape::toString);
      }
      assertFalse(each.hasOwnHash(other));
      each.markOwnHash(third);
      assertEquals(5, each.size(), "there is one already");
    }
  }

  @Test
  void anEntryStaysWhenTheTransactionAroundItRollsBack() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            heap.transaction(
                () -> {
                  assertEquals(1, catalogue.define(order()).id());
                  throw new IllegalArgumentException();
                }));
    assertEquals(1, new Catalogue(heap).define(order()).id());
  }

  @Test
  void anotherShapeOfAClassIsRefusedWithBothShapes() {
    catalogue.define(order());
    List<Property> changed = new ArrayList<>(order().properties());
    changed.removeIf(property -> property.name().equals("quantity"));
    changed.add(new Property("quantity", SlotKind.INT, "int"));
    String message =
        assertThrows(
                ClassRefusedException.class,
                () -> catalogue.define(Shape.layOut("com.acme.Order", "", changed)))
            .getMessage();
    assertTrue(message.contains("com.acme.Order"), message);
    assertTrue(message.contains("long quantity"), message);
    assertTrue(message.contains("int quantity"), message);
    assertEquals(1, catalogue.entries().size());
  }

  private EnumType addEnum(String className, int predecessor, String... constants) {
    return (EnumType) catalogue.add(new EnumType(0, className, List.of(constants), predecessor));
  }

  @Test
  void anEnumIsNoShapeAndAShapeNoEnum() {
    addEnum("com.acme.Order", 0, "A");
    assertThrows(ClassRefusedException.class, () -> catalogue.define(order()));
    assertThrows(StoreDamagedException.class, () -> catalogue.shape(1));
    assertThrows(StoreDamagedException.class, () -> catalogue.enumType(2));
    Property property = new Property("kind", SlotKind.ENUM, "com.acme.Kind");
    assertThrows(StoreDamagedException.class, () -> catalogue.enumType(property));
    EnumType added = addEnum("com.acme.Kind", 0, "A");
    assertEquals(added, catalogue.enumType(property));
    assertThrows(StoreDamagedException.class, () -> catalogue.shape(0));
    assertThrows(StoreDamagedException.class, () -> catalogue.shape(-1));
  }

  @Test
  void oneCatalogueSeesWhatAnotherAdded() {
    Catalogue reader = new Catalogue(heap);
    Shape shape = catalogue.define(order());
    assertEquals(shape, reader.shape(shape.id()));
  }

  @Test
  void everyChangedByteOfAnEntryIsFound() {
    for (CatalogueEntry entry :
        List.of(
            order(),
            order()
                .after(
                    3,
                    List.of(
                        Origin.stored(2),
                        Origin.INITIAL,
                        Origin.FUNCTION,
                        Origin.stored(0),
                        Origin.INITIAL,
                        Origin.stored(65535))),
            new EnumType(0, "Kind", List.of("A", "B"), 4),
            new Upgraded(0, "com.acme.Order", 4),
            new OwnHash(0, "com.acme.Order", 4),
            new ValueType(0, "com.acme.Money", "money", 2))) {
      byte[] bytes = CatalogueLayout.encode(entry);
      assertEquals(entry.withId(5), CatalogueLayout.decode(5, bytes));
      for (int i = 0; i < bytes.length; i++) {
        byte[] damaged = bytes.clone();
        damaged[i] ^= 0x10;
        assertThrows(StoreDamagedException.class, () -> CatalogueLayout.decode(5, damaged));
      }
      for (int length = 0; length < bytes.length; length++) {
        byte[] torn = Arrays.copyOf(bytes, length);
        assertThrows(StoreDamagedException.class, () -> CatalogueLayout.decode(5, torn));
      }
    }
  }

  @Test
  void contentsThatMakeNoSenseAreDamageEvenWhereTheChecksumIsRight() {
    byte[] bytes = CatalogueLayout.encode(order());
    int found = 0;
    for (int i = CatalogueLayout.CONTENTS_OFFSET; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] = (byte) 0xff;
      try {
        assertNotNull(CatalogueLayout.decode(5, withChecksum(damaged)));
      } catch (StoreDamagedException e) {
        found++; // and nothing else is ever thrown
      }
    }
    assertTrue(found > 20, "offsets, sizes, kinds and lengths are checked; found " + found);
  }

  @Test
  void aLaterVersionIsAFormatAndNotDamage() {
    byte[] bytes = CatalogueLayout.encode(order());
    bytes[CatalogueLayout.VERSION_OFFSET] = 2;
    String message =
        assertThrows(
                StoreFormatException.class, () -> CatalogueLayout.decode(5, withChecksum(bytes)))
            .getMessage();
    assertTrue(message.contains("version 2") && message.contains("version 1"), message);
  }

  private static byte[] withChecksum(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putInt(CatalogueLayout.CHECKSUM_OFFSET, 0);
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    buffer.putInt(CatalogueLayout.CHECKSUM_OFFSET, (int) crc.getValue());
    return bytes;
  }

  @Test
  void threadsThatDefineTheSameThingsAgree() throws Exception {
    int threads = 4;
    int classes = 30;
    CountDownLatch start = new CountDownLatch(threads);
    List<Future<List<CatalogueEntry>>> results = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int t = 0; t < threads; t++) {
        int thread = t;
        results.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  List<CatalogueEntry> defined = new ArrayList<>();
                  for (int i = 0; i < classes; i++) {
                    Property property = new Property("p", SlotKind.LONG, "long");
                    defined.add(catalogue.define(Shape.layOut("C" + i, "", List.of(property))));
                    List<String> all = new ArrayList<>(List.of("A", "B", "C", "D"));
                    Collections.shuffle(all, new Random(thread));
                    defined.add(catalogue.add(new EnumType(0, "E" + i, all)));
                  }
                  return defined;
                }));
      }
      List<CatalogueEntry> first = results.getFirst().get();
      for (Future<List<CatalogueEntry>> result : results) {
        assertEquals(first, result.get());
      }
    }
    assertEquals(new Catalogue(heap).entries(), catalogue.entries());
  }

  @Test
  void aStoreThatIsOnlyReadKeepsItsCatalogue(@TempDir Path directory) {
    try (Engine engine = MappedEngine.open(directory, PmStoreOptions.defaults())) {
      Catalogue written = new Catalogue(new Heap(engine, Durability.SYNC, h -> new NoObjects()));
      written.define(order());
      written.add(new EnumType(0, "com.acme.Kind", List.of("BUY", "SELL")));
    }
    try (Engine engine = ReadOnlyEngine.open(directory)) {
      Catalogue read = new Catalogue(new Heap(engine, Durability.SYNC, h -> new NoObjects()));
      assertEquals(1, read.define(order()).id());
      assertTrue(read.isReadOnly());
      assertEquals(List.of("BUY", "SELL"), read.enumType(2).constants());
      Shape other = Shape.layOut("com.acme.Other", "", List.of());
      assertThrows(StoreReadOnlyException.class, () -> read.define(other));
      assertEquals(2, read.entries().size());
    }
  }
}
