package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.offset;
import static io.pmstore.gc.TestHeap.property;
import static io.pmstore.gc.TestHeap.use;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.TestHeap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of damage, planted in a small sound heap, is reported with the path to it. */
class DamageTest {
  private final TestHeap store = new TestHeap();
  private final EnumType side =
      (EnumType) store.catalogue.add(new EnumType(0, "com.acme.Side", List.of("BUY", "SELL")));
  private final Shape exchangeShape =
      store.define(
          "com.acme.Exchange",
          property("best", SlotKind.REFERENCE),
          property("name", SlotKind.CELL));
  private final Shape orderShape =
      store.define(
          "com.acme.Order",
          property("symbol", SlotKind.CELL),
          property("next", SlotKind.REFERENCE),
          property("side", SlotKind.ENUM),
          property("live", SlotKind.BOOLEAN));
  private final int best = offset(exchangeShape, "best");
  private final int name = offset(exchangeShape, "name");
  private final int symbol = offset(orderShape, "symbol");
  private final int next = offset(orderShape, "next");
  private final long exchange = store.newObject(exchangeShape);
  private final long order = store.newObject(orderShape);
  private final long second = store.newObject(orderShape);
  private final String secondPath = "root \"exchange\" -> best -> next -> Order@" + second;
  private long blob;

  @BeforeEach
  void build() {
    store.heap.directory().setRoot("exchange", exchange);
    store.heap.putLong(exchange, best, order);
    store.heap.putLong(order, next, second);
    store.putCell(exchange, name, CellLayout.first(CellLayout.STRING, 1, 0) | 'x' << 16, 0);
    blob = store.putString(second, symbol, "PETR4, VALE3 and more");
    store.heap.putInt(second, offset(orderShape, "side"), 2);
    store.heap.putByte(second, offset(orderShape, "live"), (byte) 1);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(2, use(report, "com.acme.Order").objects());
    assertEquals(0, report.garbageObjects());
  }

  @AfterEach
  void close() {
    store.heap.close();
  }

  private void assertFault(String path, String found, String expected) {
    VerificationReport report = store.verify();
    assertEquals(List.of(new Fault(path, found, expected)), report.faults());
    assertFalse(report.isSound());
    assertEquals(1, report.faultCount());
  }

  // ---- references

  @Test
  void aReferenceOutsideTheHeap() {
    store.damage(second + next, 1L << 40);
    assertFault(
        secondPath + ".next",
        "heap address 1099511627776, which is outside the heap of 16777216 bytes",
        "the address of an object or collection");
    store.damage(second + next, -8);
    assertFault(
        secondPath + ".next",
        "heap address -8, which is outside the heap of 16777216 bytes",
        "the address of an object or collection");
  }

  @Test
  void aReferenceIntoTheMiddleOfAnObject() {
    store.damage(second + next, order + 16);
    assertFault(
        secondPath + ".next",
        "heap address %d, which is 16 bytes into an allocated slot of 40 bytes at %d"
            .formatted(order + 16, order),
        "the address of an object or collection");
  }

  @Test
  void aReferenceThatIsNotAligned() {
    store.damage(second + next, order + 1);
    assertFault(
        secondPath + ".next", "a reference of 0x" + Long.toHexString(order + 1), "a multiple of 8");
  }

  @Test
  void aReferenceIntoAFreeChunkAndTheTables() {
    long free = 1000L << ExtentLayout.CHUNK_SHIFT;
    store.damage(second + next, free);
    assertFault(
        secondPath + ".next",
        "heap address " + free + ", which is in a free chunk",
        "the address of an object or collection");
    store.damage(second + next, CoreLayout.SUPERBLOCK);
    assertFault(
        secondPath + ".next",
        "heap address 16384, which is in a part of the heap that holds no objects",
        "the address of an object or collection");
  }

  @Test
  void aReferenceIntoTheBitmapOfAChunk() {
    long chunk = order & -ExtentLayout.CHUNK_SIZE;
    store.damage(second + next, chunk + 64);
    assertFault(
        secondPath + ".next",
        "heap address %d, which is in the chunk at %d, but in none of its slots"
            .formatted(chunk + 64, chunk),
        "the address of an object or collection");
  }

  @Test
  void aReferenceToBytes() {
    store.damage(second + next, blob);
    assertFault(
        secondPath + ".next",
        "a byte string of length 21 in 40 bytes at heap address " + blob,
        "an object or collection");
  }

  @Test
  void aReferenceInsideALargeObject() {
    Shape large = store.define("com.acme.Large", 1, 40_000);
    long object = store.newObject(large);
    store.heap.putLong(second, next, object);
    assertTrue(store.verify().isSound());
    store.damage(second + next, object + 20_000);
    assertFault(
        secondPath + ".next",
        "heap address %d, which is 20000 bytes into the object of 49152 bytes at %d"
            .formatted(object + 20_000, object),
        "the address of an object or collection");
  }

  @Test
  void aRootThatIsNoObject() {
    long entry =
        store.engine.memory().getLong(CoreLayout.SUPERBLOCK + CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    store.damage(entry + CoreLayout.ROOT_OBJECT_OFFSET, entry);
    assertFault(
        "root \"exchange\"", "a root entry at heap address " + entry, "an object or collection");
  }

  // ---- allocation data

  /** The bitmap word and bit of a slot of 40 bytes. */
  private void flipBitOf(long object) {
    long chunk = object & -ExtentLayout.CHUNK_SIZE;
    int slot = (int) (object - chunk - ExtentLayout.SLOTS_OFFSET) / 40;
    store.flip(chunk + (slot >>> 6) * 8L, 1L << slot);
  }

  @Test
  void aClearedBitmapBit() {
    VerificationReport sound = store.verify();
    flipBitOf(second);
    assertFault(
        "root \"exchange\" -> best -> Order@" + order + ".next",
        "heap address " + second + ", which is a free slot of 40 bytes",
        "the address of an object or collection");
    VerificationReport report = store.verify();
    assertEquals(sound.freeBytes() + 40, report.freeBytes());
    assertEquals(1, report.garbageObjects(), "what only the lost object referred to");
    assertEquals(sound.bytes() - 40 - report.garbageBytes(), report.bytes());
  }

  @Test
  void aSetBitmapBitIsGarbageAndNoFault() {
    VerificationReport sound = store.verify();
    flipBitOf(order + 40 * 300);
    VerificationReport report = store.verify();
    assertTrue(report.isSound());
    assertEquals(1, report.garbageObjects());
    assertEquals(40, report.garbageBytes());
    assertEquals(sound.freeBytes() - 40, report.freeBytes());
  }

  @Test
  void aBitmapBitBeyondTheLastSlot() {
    long chunk = order & -ExtentLayout.CHUNK_SIZE;
    store.flip(chunk + 15 * 8, 1L << 63);
    assertFault(
        "bitmap of the chunk at heap address " + chunk,
        "word 15 is 0x8000000000000000",
        "bits for 406 slots only");
  }

  @Test
  void aChunkDescriptorOfNoKind() {
    long chunk = 900L << ExtentLayout.CHUNK_SHIFT;
    store.damage(ExtentLayout.descriptorAddress(chunk), 0x77);
    VerificationReport report = store.verify();
    assertFault(
        "chunk table of extent 0, chunk 900 at heap address " + chunk,
        "descriptor 0x77",
        "a free chunk, slots of a size class, or a run that fits");
    assertEquals(16777216, report.heapBytes());
  }

  @Test
  void aRunOverItsExtentsEndAndADescriptorInsideARun() {
    long chunk = 1020L << ExtentLayout.CHUNK_SHIFT;
    long descriptor = ExtentLayout.descriptorAddress(chunk);
    store.damage(descriptor, ExtentLayout.KIND_RUN | 5L << 32);
    assertFault(
        "chunk table of extent 0, chunk 1020 at heap address " + chunk,
        "descriptor 0x500000002",
        "a free chunk, slots of a size class, or a run that fits");
    store.damage(descriptor, ExtentLayout.KIND_RUN | 4L << 32);
    assertTrue(store.verify().isSound());
    assertEquals(1, store.verify().garbageObjects());
    store.damage(descriptor + 8, ExtentLayout.KIND_SLOTS);
    assertFault(
        "chunk table of extent 0, chunk 1021 at heap address " + (chunk + ExtentLayout.CHUNK_SIZE),
        "descriptor 0x1",
        "zero: the chunk is inside the run before it");
  }

  // ---- headers

  @Test
  void aWrongShapeIdIsReportedOnceForAllReferences() {
    store.heap.putLong(exchange, best, order);
    store.damage(second, ObjectLayout.header(99, 0, orderShape.size()));
    store.heap.putLong(order, next, second);
    Shape pair = store.define("com.acme.Pair", 2, 24);
    long both = store.newObject(pair);
    store.heap.putLong(both, 8, second);
    store.heap.putLong(both, 16, second);
    store.heap.directory().setRoot("pair", both);
    assertFault(
        "root \"pair\" -> Pair@" + both + ".r0",
        "an object of unknown shape 99 at heap address " + second,
        "a shape of the catalogue");
  }

  @Test
  void theIdOfAnEnumIsNoShape() {
    store.damage(second, ObjectLayout.header(side.id(), 0, orderShape.size()));
    assertFault(
        "root \"exchange\" -> best -> Order@" + order + ".next",
        "an object of unknown shape " + side.id() + " at heap address " + second,
        "a shape of the catalogue");
  }

  @Test
  void aSizeThatIsNotTheShapes() {
    store.damage(second, ObjectLayout.header(orderShape.id(), 0, 32));
    assertFault(
        "root \"exchange\" -> best -> Order@" + order + ".next",
        "an object of class com.acme.Order at heap address %d with a size of 32 bytes"
            .formatted(second),
        "the 40 bytes of its shape");
  }

  @Test
  void anObjectTooLargeForItsSlot() {
    Shape large = store.define("com.acme.Large", 0, 80);
    store.damage(second, ObjectLayout.header(large.id(), 0, 80));
    assertFault(
        "root \"exchange\" -> best -> Order@" + order + ".next",
        "an object of class com.acme.Large at heap address %d of 80 bytes in a slot of 40"
            .formatted(second),
        "a slot with room for it");
  }

  // ---- values

  @Test
  void aCellWithATagOfNoType() {
    store.damage(second + symbol, 0x7f);
    assertFault(
        secondPath + ".symbol",
        "a cell of 0x7f 0x" + Long.toHexString(blob),
        "a tag of the cell format");
  }

  @Test
  void aStringInLineThatIsTooLong() {
    store.damage(exchange + name, CellLayout.first(CellLayout.STRING, 15, 0));
    assertFault(
        "root \"exchange\" -> Exchange@" + exchange + ".name",
        "a cell of 0xf09 0x0",
        "a length from 0 to 14");
  }

  @Test
  void aCellForAConstantThatIsNone() {
    store.putCell(exchange, name, CellLayout.first(CellLayout.ENUM, 0, side.id()), 1);
    assertTrue(store.verify().isSound());
    store.damage(exchange + name + 8, 2);
    assertFault(
        "root \"exchange\" -> Exchange@" + exchange + ".name",
        "a cell of 0x%x 0x2".formatted(CellLayout.first(CellLayout.ENUM, 0, side.id())),
        "a value from 0 to 1");
  }

  @Test
  void anEnumSlotAndABooleanOutOfRange() {
    int at = offset(orderShape, "side");
    store.heap.putInt(second, at, 3);
    assertFault(secondPath + ".side", "ENUM value 3", "0 to 2");
    store.heap.putInt(second, at, 0);
    store.heap.putByte(second, offset(orderShape, "live"), (byte) 2);
    assertFault(secondPath + ".live", "BOOLEAN value 2", "0 to 1");
  }

  @Test
  void aBadBlobLength() {
    store.damage(blob + 8, store.engine.memory().getLong(blob + 8) | 0x8000_0000L);
    assertFault(
        secondPath + ".symbol",
        "a byte string of length %d in 40 bytes at heap address %d"
            .formatted(Integer.MIN_VALUE + 21, blob),
        "a byte string whose length fits its size");
    store.heap.transaction(
        () -> {
          store.heap.putInt(blob, 8, 29);
          return null;
        });
    assertFault(
        secondPath + ".symbol",
        "a byte string of length 29 in 40 bytes at heap address " + blob,
        "a byte string whose length fits its size");
  }

  @Test
  void aBlobOfALengthThatItsTypeCannotHave() {
    store.putCell(second, symbol, CellLayout.STRING_UTF16, blob);
    assertFault(
        secondPath + ".symbol",
        "21 bytes at heap address %d for tag %d".formatted(blob, CellLayout.STRING_UTF16),
        "an even number of bytes");
  }

  @Test
  void aCellForAStringThatRefersToAnObject() {
    store.putCell(second, symbol, CellLayout.STRING_LATIN1, order);
    VerificationReport report = store.verify();
    assertEquals(
        List.of(
            new Fault(
                secondPath + ".symbol",
                "an object of class com.acme.Order at heap address " + order,
                "a byte string whose length fits its size")),
        report.faults());
    assertEquals(0, report.garbageObjects(), "the string that was there is freed");
  }

  @Test
  void aLongBlobWithAWrongPart() {
    long longBlob = store.newBlob(new byte[CoreLayout.PART_MAX * 2 + 9]);
    store.putCell(second, symbol, CellLayout.STRING_LATIN1, longBlob);
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    assertEquals(1, use(report, "pmstore.blob.long").objects());
    long firstPart = store.heap.getLong(longBlob, CoreLayout.LONG_BLOB_PARTS_OFFSET);
    long lastPart = store.heap.getLong(longBlob, CoreLayout.LONG_BLOB_PARTS_OFFSET + 16);
    String part = "part 1 of the byte string at heap address " + longBlob + ": ";

    store.damage(longBlob + CoreLayout.LONG_BLOB_PARTS_OFFSET + 8, firstPart);
    assertFault(
        secondPath + ".symbol",
        part
            + "a byte string of length 8388596 in 8388608 bytes at heap address %d, which has a place already"
                .formatted(firstPart),
        "bytes of its own");
    store.damage(longBlob + CoreLayout.LONG_BLOB_PARTS_OFFSET + 8, lastPart);
    VerificationReport twice = store.verify();
    assertEquals(
        new Fault(
            secondPath + ".symbol",
            part + "a byte string of length 9 in 24 bytes at heap address " + lastPart,
            "8388596 bytes in one object"),
        twice.faults().getFirst());
    store.damage(longBlob + CoreLayout.LONG_BLOB_PARTS_OFFSET + 8, 0);
    assertFault(
        secondPath + ".symbol",
        part + "heap address 0, which is in a part of the heap that holds no objects",
        "the address of its bytes");
  }

  // ---- the lists of the superblock

  @Test
  void aDamagedCatalogueEntry() {
    long entry =
        store
            .engine
            .memory()
            .getLong(CoreLayout.SUPERBLOCK + CoreLayout.SUPERBLOCK_CATALOGUE_LAST_OFFSET);
    long contents = store.heap.getLong(entry, CoreLayout.ENTRY_BLOB_OFFSET);
    store.flip(contents + 32, 0x100);
    VerificationReport report = store.verify();
    assertEquals("catalogue entry " + orderShape.id(), report.faults().getFirst().path());
    assertTrue(
        report.faults().getFirst().found().contains("checksum"), () -> report.faults().toString());
    assertEquals(
        "root \"exchange\" -> Exchange@" + exchange + ".best", report.faults().get(1).path());
  }

  @Test
  void aCircleInTheCatalogueAndAWrongEnd() {
    long superblock = CoreLayout.SUPERBLOCK;
    long first =
        store.engine.memory().getLong(superblock + CoreLayout.SUPERBLOCK_CATALOGUE_FIRST_OFFSET);
    long last =
        store.engine.memory().getLong(superblock + CoreLayout.SUPERBLOCK_CATALOGUE_LAST_OFFSET);
    store.damage(superblock + CoreLayout.SUPERBLOCK_CATALOGUE_LAST_OFFSET, first);
    assertFault(
        "superblock, last catalogue entry",
        "heap address " + first,
        "heap address " + last + ", where the list ends");
    store.damage(last + CoreLayout.NEXT_OFFSET, first);
    assertFault(
        "catalogue entry 4",
        "a catalogue entry at heap address " + first + " for the second time",
        "a further one, or the end of the list");
  }

  @Test
  void aDamagedRootName() {
    long entry =
        store.engine.memory().getLong(CoreLayout.SUPERBLOCK + CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    store.damage(entry + CoreLayout.ROOT_NAME_OFFSET, order);
    store.damage(second + next, 8);
    VerificationReport report = store.verify();
    assertEquals("root entry 1", report.faults().getFirst().path());
    assertEquals(
        "root entry 1 -> best -> next -> Order@" + second + ".next",
        report.faults().get(1).path(),
        "what the root reaches is checked all the same");
  }

  @Test
  void twoRootsOfOneName() {
    store.heap.directory().setRoot("Exchange", exchange);
    long entry =
        store.engine.memory().getLong(CoreLayout.SUPERBLOCK + CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    store.damage(entry + CoreLayout.ROOT_NAME_OFFSET, store.newBlob("exchange".getBytes(UTF_8)));
    assertFault("root \"exchange\"", "a second root of this name", "one");
  }

  @Test
  void moreFaultsThanAReportHoldsAreCounted() {
    Shape wide = store.define("com.acme.Wide", 1500, 12_008);
    long object = store.newObject(wide);
    store.heap.directory().setRoot("wide", object);
    for (int i = 0; i < 1500; i++) {
      store.damage(object + 8 + 8L * i, 16);
    }
    VerificationReport report = store.verify();
    assertEquals(1500, report.faultCount());
    assertEquals(VerificationReport.FAULTS_MAX, report.faults().size());
    assertEquals("root \"wide\" -> Wide@" + object + ".r999", report.faults().getLast().path());
    assertTrue(report.toString().startsWith("1,500 faults\n"), report::toString);
    assertTrue(report.toString().endsWith("\n  and 1,480 more faults"), report::toString);
  }
}
