package io.pmstore.core.engine.mapped.header;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.medium.Checksum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * The header of a heap.
 *
 * @param store the UUID of the store
 * @param storage what the store was created with
 * @param sequence counts the headers written
 * @param epoch of new log records; each opening starts a new one
 * @param closed true if the heap is whole without the log
 * @param checkpoint the first record to replay
 * @param heapSize the bytes of the heap file that belong to the store
 * @param segmentSize the bytes of each log segment
 * @param past earlier epochs with records behind the checkpoint, oldest first: at most one for each
 *     kill since the last checkpoint
 */
public record HeapHeader(
    UUID store,
    Storage storage,
    long sequence,
    long epoch,
    boolean closed,
    LogPosition checkpoint,
    long heapSize,
    long segmentSize,
    List<PastEpoch> past) {

  /**
   * An epoch that has ended.
   *
   * @param epoch its number
   * @param end behind its last record, where the next epoch starts
   */
  public record PastEpoch(long epoch, LogPosition end) {}

  /** The result of decoding a header copy. */
  sealed interface Decoded {
    /** A valid header. */
    record Valid(HeapHeader header) implements Decoded {}

    /** No header: the magic is wrong. */
    record Foreign(long magic) implements Decoded {}

    /** A header of another format version, or one with a damaged version. */
    record OtherVersion(int version) implements Decoded {}

    /** A damaged header. */
    record Damaged(String how) implements Decoded {}
  }

  public HeapHeader {
    past = List.copyOf(past);
  }

  /** Returns the store's identity in log records. */
  public long storeId() {
    return store.getMostSignificantBits() ^ store.getLeastSignificantBits();
  }

  HeapHeader withSequence(long newSequence) {
    return new HeapHeader(
        store, storage, newSequence, epoch, closed, checkpoint, heapSize, segmentSize, past);
  }

  public HeapHeader withHeapSize(long newHeapSize) {
    return new HeapHeader(
        store, storage, sequence, epoch, closed, checkpoint, newHeapSize, segmentSize, past);
  }

  public HeapHeader withCheckpoint(long newEpoch, LogPosition newCheckpoint, boolean newClosed) {
    return new HeapHeader(
        store,
        storage,
        sequence,
        newEpoch,
        newClosed,
        newCheckpoint,
        heapSize,
        segmentSize,
        List.of());
  }

  /** Ends the epoch behind records that the heap file lacks, and starts the next. */
  public HeapHeader withNextEpoch(LogPosition end) {
    List<PastEpoch> more = new ArrayList<>(past);
    more.add(new PastEpoch(epoch, end));
    return new HeapHeader(
        store, storage, sequence, epoch + 1, false, checkpoint, heapSize, segmentSize, more);
  }

  /** Returns true if there is room for another past epoch. */
  public boolean canHaveNextEpoch() {
    return past.size() < HeapHeaderLayout.PAST_EPOCHS_MAX;
  }

  byte[] encode() {
    byte[] copy = new byte[HeapHeaderLayout.COPY_SIZE];
    LONG.set(copy, HeapHeaderLayout.MAGIC, HeapHeaderLayout.MAGIC_VALUE);
    INT.set(copy, HeapHeaderLayout.VERSION, HeapHeaderLayout.VERSION_VALUE);
    INT.set(
        copy,
        HeapHeaderLayout.STATE,
        closed ? HeapHeaderLayout.STATE_CLOSED : HeapHeaderLayout.STATE_OPEN);
    LONG.set(copy, HeapHeaderLayout.UUID_HIGH, store.getMostSignificantBits());
    LONG.set(copy, HeapHeaderLayout.UUID_LOW, store.getLeastSignificantBits());
    LONG.set(copy, HeapHeaderLayout.SEQUENCE, sequence);
    LONG.set(copy, HeapHeaderLayout.EPOCH, epoch);
    LONG.set(copy, HeapHeaderLayout.CHECKPOINT_SEQUENCE, checkpoint.sequence());
    LONG.set(copy, HeapHeaderLayout.CHECKPOINT_OFFSET, checkpoint.offset());
    LONG.set(copy, HeapHeaderLayout.HEAP_SIZE, heapSize);
    INT.set(copy, HeapHeaderLayout.CHECKPOINT_SEGMENT, checkpoint.segment());
    INT.set(
        copy,
        HeapHeaderLayout.STORAGE,
        storage == Storage.PERSISTENT_MEMORY
            ? HeapHeaderLayout.STORAGE_PERSISTENT_MEMORY
            : HeapHeaderLayout.STORAGE_FILE);
    LONG.set(copy, HeapHeaderLayout.SEGMENT_SIZE, segmentSize);
    INT.set(copy, HeapHeaderLayout.PAST_EPOCHS, past.size());
    int at = HeapHeaderLayout.PAST_EPOCH;
    for (PastEpoch epoch : past) {
      LONG.set(copy, at, epoch.epoch());
      LONG.set(copy, at + 8, epoch.end().sequence());
      LONG.set(copy, at + 16, epoch.end().offset());
      INT.set(copy, at + 24, epoch.end().segment());
      at += HeapHeaderLayout.PAST_EPOCH_SIZE;
    }
    INT.set(copy, HeapHeaderLayout.CHECKSUM, Checksum.of(copy, 0, HeapHeaderLayout.CHECKSUM));
    return copy;
  }

  /**
   * Returns true if a copy that is not whole may be one that a crash kept from being written
   * completely, beside this header in the other copy. Then each word is of the header before this
   * one or of the one after it, and what no header changes is unchanged. Beside the first header of
   * a store it may be anything: nothing was there.
   */
  boolean mayHaveInterrupted(byte[] copy) {
    long found = (long) LONG.get(copy, HeapHeaderLayout.SEQUENCE);
    byte[] whole = encode();
    boolean isMixed =
        Math.abs(found - sequence) == 1
            && isSame(whole, copy, 0, HeapHeaderLayout.STATE)
            && isSame(whole, copy, HeapHeaderLayout.UUID_HIGH, HeapHeaderLayout.SEQUENCE)
            && isSame(whole, copy, HeapHeaderLayout.STORAGE, HeapHeaderLayout.PAST_EPOCHS)
            && isSame(whole, copy, HeapHeaderLayout.PAST_EPOCHS + 4, HeapHeaderLayout.PAST_EPOCH)
            && isSame(whole, copy, HeapHeaderLayout.PAST_EPOCHS_END, HeapHeaderLayout.CHECKSUM);
    return isMixed || sequence == 1;
  }

  private static boolean isSame(byte[] whole, byte[] copy, int from, int to) {
    return Arrays.equals(whole, from, to, copy, from, to);
  }

  static Decoded decode(byte[] copy, int slot) {
    long magic = (long) LONG.get(copy, HeapHeaderLayout.MAGIC);
    if (magic != HeapHeaderLayout.MAGIC_VALUE) {
      return new Decoded.Foreign(magic);
    }
    int version = (int) INT.get(copy, HeapHeaderLayout.VERSION);
    if (version != HeapHeaderLayout.VERSION_VALUE) {
      return new Decoded.OtherVersion(version);
    }
    int found = (int) INT.get(copy, HeapHeaderLayout.CHECKSUM);
    int expected = Checksum.of(copy, 0, HeapHeaderLayout.CHECKSUM);
    if (found != expected) {
      return new Decoded.Damaged(
          "checksum is %08x, its bytes give %08x".formatted(found, expected));
    }
    int pastEpochs = (int) INT.get(copy, HeapHeaderLayout.PAST_EPOCHS);
    if (pastEpochs < 0 || pastEpochs > HeapHeaderLayout.PAST_EPOCHS_MAX) {
      return new Decoded.Damaged("impossible number of past epochs: " + pastEpochs);
    }
    HeapHeader header =
        new HeapHeader(
            new UUID(
                (long) LONG.get(copy, HeapHeaderLayout.UUID_HIGH),
                (long) LONG.get(copy, HeapHeaderLayout.UUID_LOW)),
            (int) INT.get(copy, HeapHeaderLayout.STORAGE)
                    == HeapHeaderLayout.STORAGE_PERSISTENT_MEMORY
                ? Storage.PERSISTENT_MEMORY
                : Storage.FILE,
            (long) LONG.get(copy, HeapHeaderLayout.SEQUENCE),
            (long) LONG.get(copy, HeapHeaderLayout.EPOCH),
            (int) INT.get(copy, HeapHeaderLayout.STATE) == HeapHeaderLayout.STATE_CLOSED,
            new LogPosition(
                (int) INT.get(copy, HeapHeaderLayout.CHECKPOINT_SEGMENT),
                (long) LONG.get(copy, HeapHeaderLayout.CHECKPOINT_OFFSET),
                (long) LONG.get(copy, HeapHeaderLayout.CHECKPOINT_SEQUENCE)),
            (long) LONG.get(copy, HeapHeaderLayout.HEAP_SIZE),
            (long) LONG.get(copy, HeapHeaderLayout.SEGMENT_SIZE),
            decodePast(copy, pastEpochs));
    return header.isPlausible() && (header.sequence & 1) == slot
        ? new Decoded.Valid(header)
        : new Decoded.Damaged("impossible values: " + header);
  }

  private static List<PastEpoch> decodePast(byte[] copy, int count) {
    List<PastEpoch> past = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = HeapHeaderLayout.PAST_EPOCH + i * HeapHeaderLayout.PAST_EPOCH_SIZE;
      past.add(
          new PastEpoch(
              (long) LONG.get(copy, at),
              new LogPosition(
                  (int) INT.get(copy, at + 24),
                  (long) LONG.get(copy, at + 16),
                  (long) LONG.get(copy, at + 8))));
    }
    return past;
  }

  private boolean isPlausible() {
    return StoreLayout.isHeapSize(heapSize)
        && isSegmentSize(segmentSize)
        && isPlausible(checkpoint)
        && past.stream().allMatch(p -> p.epoch() > 0 && p.epoch() < epoch && isPlausible(p.end()))
        && sequence > 0
        && epoch > 0;
  }

  private boolean isPlausible(LogPosition position) {
    return position.segment() >= 0
        && position.segment() < StoreLayout.LOG_SEGMENTS
        && position.offset() >= LogSegmentHeader.SIZE
        && position.offset() <= StoreLayout.segmentMax(segmentSize)
        && position.offset() % 8 == 0
        && position.sequence() > 0;
  }

  private static boolean isSegmentSize(long size) {
    try {
      return PmStoreOptions.defaults().logSegmentSize(size).logSegmentSize() == size;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
