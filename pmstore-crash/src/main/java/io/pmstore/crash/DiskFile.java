package io.pmstore.crash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file of a {@link Disk}: what a process sees of it, and what else a power cut could leave. Not
 * thread-safe.
 */
public final class DiskFile {
  /** A length that the file has had since its length was last durable. */
  private record Size(long stamp, long bytes) {}

  private final int id;
  private final FaultModel model;
  private final SparseBytes bytes;
  private final TreeMap<Long, UnitHistory> unsettled = new TreeMap<>();
  private final List<Size> sizes = new ArrayList<>();
  private boolean recording = true;
  private long settledHash; // of the bytes in no unsettled unit

  public DiskFile(int id, FaultModel model) {
    this(id, model, new SparseBytes(), 0, 0);
  }

  private DiskFile(int id, FaultModel model, SparseBytes bytes, long size, long settledHash) {
    this.id = id;
    this.model = model;
    this.bytes = bytes;
    this.settledHash = settledHash;
    sizes.add(new Size(0, size));
  }

  /** Makes every write durable at once, for a disk whose power is not cut any more. */
  public void stopRecording() {
    recording = false;
  }

  /** What a power cut can do to the contents. */
  public FaultModel model() {
    return model;
  }

  // ---- as a process sees it

  public long size() {
    return sizes.getLast().bytes;
  }

  public SparseBytes bytes() {
    return bytes;
  }

  public void read(long offset, byte[] target, int at, int length) {
    bytes.read(offset, target, at, length);
  }

  public void write(long stamp, long offset, byte[] source, int at, int length) {
    if (!recording) {
      bytes.write(offset, source, at, length);
      return;
    }
    while (length > 0) {
      int n = (int) Math.min(length, model.unit() - offset % model.unit());
      writeInUnit(stamp, offset, source, at, n);
      offset += n;
      at += n;
      length -= n;
    }
  }

  private void writeInUnit(long stamp, long offset, byte[] source, int at, int length) {
    long unit = offset / model.unit();
    UnitHistory history = unsettled.get(unit);
    byte[] last = history == null ? unitBytes(unit) : history.newest().bytes();
    int inUnit = (int) (offset % model.unit());
    for (int done = 0; done < length; ) {
      int n = Math.min(length - done, model.grain() - (inUnit + done) % model.grain());
      if (!Arrays.equals(
          last, inUnit + done, inUnit + done + n, source, at + done, at + done + n)) {
        if (history == null) {
          history = new UnitHistory(unit, last);
          settledHash -= history.hash(0);
          unsettled.put(unit, history);
        }
        last = last.clone();
        System.arraycopy(source, at + done, last, inUnit + done, n);
        history.add(stamp, last);
      }
      done += n;
    }
    bytes.write(offset, source, at, length);
  }

  private byte[] unitBytes(long unit) {
    byte[] found = new byte[model.unit()];
    bytes.read(unit * found.length, found, 0, found.length);
    return found;
  }

  public void resize(long stamp, long size) {
    if (size < size()) {
      byte[] zeros = new byte[model.unit()];
      List<Long> behind = new ArrayList<>();
      bytes.forEachPage(
          (offset, page) -> {
            for (long at = offset; at < offset + page.length; at += zeros.length) {
              if (at + zeros.length > size) {
                behind.add(Math.max(at, size));
              }
            }
          });
      behind.forEach(at -> write(stamp, at, zeros, 0, (int) (zeros.length - at % zeros.length)));
    }
    sizes.add(new Size(stamp, size));
  }

  // ---- durability

  /** Makes durable what was written up to a time. */
  public void settle(long stamp) {
    unsettled.values().removeIf(history -> settle(history, stamp));
    settleSize(stamp);
  }

  public void settleSize(long stamp) {
    while (sizes.size() > 1 && sizes.get(1).stamp <= stamp) {
      sizes.removeFirst();
    }
  }

  /** Makes durable what was written to one unit up to a time. */
  public void settleUnit(long unit, long stamp) {
    UnitHistory history = unsettled.get(unit);
    if (history != null && settle(history, stamp)) {
      unsettled.remove(unit);
    }
  }

  private boolean settle(UnitHistory history, long stamp) {
    boolean durable = history.settle(stamp);
    if (durable) {
      settledHash += history.hash(0);
    }
    return durable;
  }

  public boolean isDurable() {
    return unsettled.isEmpty() && sizes.size() == 1;
  }

  public Map<Long, UnitHistory> unsettled() {
    return unsettled;
  }

  /** The units of a range that are not durable. */
  public Iterable<Long> unsettledIn(long offset, long length) {
    long first = offset / model.unit();
    long last = (offset + length - 1) / model.unit();
    return new ArrayList<>(unsettled.subMap(first, true, last, true).keySet());
  }

  public int sizeVersions() {
    return sizes.size();
  }

  public int sizeUpTo(long stamp) {
    int last = 0;
    while (last + 1 < sizes.size() && sizes.get(last + 1).stamp <= stamp) {
      last++;
    }
    return last;
  }

  public long sizeStamp(int index) {
    return sizes.get(index).stamp;
  }

  public long sizeVersion(int index) {
    return sizes.get(index).bytes;
  }

  // ---- as a power cut leaves it

  /** A file with the same bytes, all durable; what differs is then {@link #put} into it. */
  public DiskFile image(long size) {
    long hash = settledHash;
    for (UnitHistory history : unsettled.values()) {
      hash += history.hash(history.newestIndex());
    }
    DiskFile image = new DiskFile(id, model, bytes.copy(), size, hash);
    if (size < size()) {
      image.bytes.truncate(size);
    }
    return image;
  }

  /** Changes a unit of an image. */
  public void put(long unit, byte[] contents) {
    if (unit * model.unit() < size()) {
      settledHash += UnitHistory.hash(unit, contents) - UnitHistory.hash(unit, unitBytes(unit));
      bytes.write(unit * model.unit(), contents, 0, contents.length);
    }
  }

  public int id() {
    return id;
  }

  /** The hash of all bytes in units that are durable. */
  public long settledHash() {
    return settledHash;
  }
}
