package io.pmstore.core.engine.mapped.header;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.header.HeapHeader.PastEpoch;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeapHeaderFileTest extends StoreTest {
  private static final HeapHeader HEADER =
      new HeapHeader(
          new UUID(1, 2),
          Storage.FILE,
          7,
          3,
          false,
          new LogPosition(1, 4096 + 80, 99),
          3 * HeapMemory.EXTENT_SIZE,
          1 << 20,
          List.of());

  @Test
  void decodingGivesWhatWasEncoded() {
    for (Storage storage : new Storage[] {Storage.FILE, Storage.PERSISTENT_MEMORY}) {
      HeapHeader header =
          new HeapHeader(
              UUID.randomUUID(),
              storage,
              8,
              4,
              true,
              new LogPosition(0, 4096, 1),
              HeapMemory.EXTENT_SIZE,
              1 << 30,
              List.of(
                  new PastEpoch(2, new LogPosition(0, 8192, 7)),
                  new PastEpoch(3, new LogPosition(3, 4096, 9))));
      assertEquals(new HeapHeader.Decoded.Valid(header), HeapHeader.decode(header.encode(), 0));
    }
  }

  @Test
  void everyFlippedBitOfOneCopyIsHealedByTheOther() throws IOException {
    Path file = directory("one").resolve(StoreLayout.HEAP);
    Files.write(file, copies());
    for (int at = 0; at < 2 * HeapHeaderLayout.COPY_SIZE; at++) {
      byte[] original = readFrom(file, at, 1);
      for (int bit = 0; bit < 8; bit += at < 128 ? 1 : 7) {
        writeTo(file, at, (byte) (original[0] ^ 1 << bit));
        HeapHeader read = read(file);
        assertEquals(HEADER.withSequence(read.sequence()), read, "bit " + bit + " of " + at);
        assertEquals(at < HeapHeaderLayout.COPY_SIZE ? 7 : 8, read.sequence());
      }
      writeTo(file, at, original);
    }
    assertEquals(8, read(file).sequence());
  }

  @Test
  void verificationTellsOfADamagedCopyUnlessACrashMayHaveInterruptedItsWriting()
      throws IOException {
    Path file = directory("told").resolve(StoreLayout.HEAP);
    Files.write(file, copies());
    assertEquals(List.of(), faults(file));
    for (int at = 0; at < 2 * HeapHeaderLayout.COPY_SIZE; at++) {
      byte[] original = readFrom(file, at, 1);
      writeTo(file, at, (byte) (original[0] ^ 4));
      int in = at % HeapHeaderLayout.COPY_SIZE;
      boolean changes = // from one header to the next
          (in >= HeapHeaderLayout.STATE && in < HeapHeaderLayout.UUID_HIGH)
              || (in >= HeapHeaderLayout.EPOCH && in < HeapHeaderLayout.STORAGE)
              || (in >= HeapHeaderLayout.PAST_EPOCHS && in < HeapHeaderLayout.PAST_EPOCHS + 4)
              || (in >= HeapHeaderLayout.PAST_EPOCH && in < HeapHeaderLayout.PAST_EPOCHS_END)
              || in >= HeapHeaderLayout.CHECKSUM;
      long copy = at - in;
      assertEquals(changes ? List.of() : List.of(copy), faults(file), "byte " + at);
      writeTo(file, at, original);
    }
  }

  @Test
  void aHeaderWhoseWritingWasInterruptedIsNotDamaged() throws IOException {
    Path file = directory("torn").resolve(StoreLayout.HEAP);
    byte[] before = HEADER.withSequence(7).encode();
    HeapHeader next =
        HEADER.withNextEpoch(new LogPosition(2, 8192, 200)).withHeapSize(HeapMemory.EXTENT_SIZE);
    byte[] after = next.withSequence(9).encode();
    byte[] both = copies();
    for (int written = 0; written <= HeapHeaderLayout.COPY_SIZE; written += 8) {
      System.arraycopy(before, 0, both, 4096, 4096);
      System.arraycopy(after, 0, both, 4096, written); // the beginning has arrived
      Files.write(file, both);
      assertEquals(List.of(), faults(file), written + " bytes");
      System.arraycopy(after, 0, both, 4096, 4096);
      System.arraycopy(before, 0, both, 4096, written); // the end has arrived
      Files.write(file, both);
      assertEquals(List.of(), faults(file), "all but " + written + " bytes");
    }
    byte[] created = new byte[2 * HeapHeaderLayout.COPY_SIZE]; // its second copy was never written
    byte[] first = HEADER.withSequence(1).encode();
    System.arraycopy(first, 0, created, (int) HeapHeaderLayout.offset(1), first.length);
    Files.write(file, created);
    assertEquals(List.of(), faults(file));
  }

  private static List<Long> faults(Path file) throws IOException {
    List<Long> faults = new ArrayList<>();
    try (MediumFile heap = new FileMedium(file.getParent()).open(StoreLayout.HEAP)) {
      HeapHeaderFile.read(heap, file.getParent())
          .verify((address, found, expected) -> faults.add(address));
    }
    return faults;
  }

  @Test
  void everyBitFlippedInBothCopiesIsRefused() throws IOException {
    Path file = directory("both").resolve(StoreLayout.HEAP);
    Files.write(file, copies());
    for (int at = 0; at < HeapHeaderLayout.COPY_SIZE; at++) {
      byte[] first = readFrom(file, at, 1);
      byte[] second = readFrom(file, at + HeapHeaderLayout.COPY_SIZE, 1);
      writeTo(file, at, (byte) (first[0] ^ 4));
      writeTo(file, at + HeapHeaderLayout.COPY_SIZE, (byte) (second[0] ^ 4));
      PmStoreException e = assertThrows(PmStoreException.class, () -> read(file));
      assertEquals(
          at < HeapHeaderLayout.STATE ? StoreFormatException.class : StoreDamagedException.class,
          e.getClass(),
          "byte " + at + ": " + e);
      writeTo(file, at, first);
      writeTo(file, at + HeapHeaderLayout.COPY_SIZE, second);
    }
  }

  @Test
  void impossibleValuesAreRefusedWhateverTheChecksumSays() throws IOException {
    Path file = directory("values").resolve(StoreLayout.HEAP);
    HeapHeader[] impossible = {
      HEADER.withHeapSize(0),
      HEADER.withHeapSize(-HeapMemory.EXTENT_SIZE),
      HEADER.withHeapSize(HeapMemory.EXTENT_SIZE + 8),
      HEADER.withHeapSize(HeapMemory.EXTENT_SIZE * (HeapMemory.EXTENTS_MAX + 1L)),
      HEADER.withCheckpoint(0, HEADER.checkpoint(), false),
      HEADER.withCheckpoint(3, new LogPosition(StoreLayout.LOG_SEGMENTS, 4096, 1), false),
      HEADER.withCheckpoint(3, new LogPosition(-1, 4096, 1), false),
      HEADER.withCheckpoint(3, new LogPosition(0, 4095, 1), false),
      HEADER.withCheckpoint(3, new LogPosition(0, 4100, 1), false),
      HEADER.withCheckpoint(3, new LogPosition(0, (1 << 20) + 8, 1), false),
      HEADER.withCheckpoint(3, new LogPosition(0, 4096, 0), false),
      new HeapHeader(
          HEADER.store(), Storage.FILE, 7, 3, false, HEADER.checkpoint(), 1 << 24, 4097, List.of()),
      HEADER.withNextEpoch(new LogPosition(StoreLayout.LOG_SEGMENTS, 4096, 100)),
      HEADER.withNextEpoch(new LogPosition(1, 4095, 100))
    };
    for (HeapHeader header : impossible) {
      Files.write(file, header.withSequence(8).encode());
      byte[] both = new byte[2 * HeapHeaderLayout.COPY_SIZE];
      System.arraycopy(header.withSequence(8).encode(), 0, both, 0, 4096);
      System.arraycopy(header.withSequence(7).encode(), 0, both, 4096, 4096);
      Files.write(file, both);
      assertThrows(StoreDamagedException.class, () -> read(file), header.toString());
    }
  }

  @Test
  void copiesOfTwoStoresAreRefused() throws IOException {
    Path file = directory("two").resolve(StoreLayout.HEAP);
    byte[] both = copies();
    HeapHeader other =
        new HeapHeader(
            new UUID(5, 6),
            Storage.FILE,
            9,
            3,
            false,
            HEADER.checkpoint(),
            1 << 24,
            1 << 20,
            List.of());
    System.arraycopy(other.encode(), 0, both, 4096, 4096);
    Files.write(file, both);
    assertThrows(StoreDamagedException.class, () -> read(file));
  }

  private static byte[] copies() {
    byte[] both = new byte[2 * HeapHeaderLayout.COPY_SIZE];
    System.arraycopy(HEADER.withSequence(8).encode(), 0, both, 0, 4096);
    System.arraycopy(HEADER.withSequence(7).encode(), 0, both, 4096, 4096);
    return both;
  }

  private static HeapHeader read(Path file) throws IOException {
    Path directory = file.getParent();
    try (MediumFile heap = new FileMedium(directory).open(StoreLayout.HEAP)) {
      return HeapHeaderFile.read(heap, directory).current();
    }
  }
}
