package io.pmstore.core.crash;

import io.pmstore.core.engine.WriteSet;
import java.util.ArrayList;
import java.util.List;

/** The changes of one commit of a test, and its place in the order of commits. */
final class Change {
  private record Range(long address, byte[] contents) {}

  private record Delta(long address, long added, long set, long cleared) {}

  private final int thread;
  private final long number;
  private final List<Range> ranges = new ArrayList<>();
  private final List<Delta> deltas = new ArrayList<>();
  private long position;

  /** Creates the nth change of a thread, with nothing in it. */
  Change(int thread, long number) {
    this.thread = thread;
    this.number = number;
  }

  int thread() {
    return thread;
  }

  long number() {
    return number;
  }

  /** Its position, or 0 while that is not known. */
  long position() {
    return position;
  }

  void setPosition(long position) {
    this.position = position;
  }

  void put(long address, byte[] contents) {
    ranges.add(new Range(address, contents));
  }

  void delta(long address, long added, long set, long cleared) {
    deltas.add(new Delta(address, added, set, cleared));
  }

  WriteSet writes() {
    WriteSet writes = new WriteSet();
    for (Range range : ranges) {
      writes.put(range.address, range.contents, 0, range.contents.length);
    }
    for (Delta delta : deltas) {
      writes.add(delta.address, delta.added);
      writes.setBits(delta.address, delta.set);
      writes.clearBits(delta.address, delta.cleared);
    }
    return writes;
  }

  void applyTo(HeapModel model) {
    for (Range range : ranges) {
      model.put(range.address, range.contents);
    }
    for (Delta delta : deltas) {
      long word = model.get(delta.address);
      model.set(delta.address, ((word + delta.added) | delta.set) & ~delta.cleared);
    }
  }

  @Override
  public String toString() {
    return "change %d of thread %d".formatted(number, thread);
  }
}
