package io.pmstore.junit;

import io.pmstore.core.medium.ForwardingMediumFile;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.crash.DiskFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * An open file of a {@link RecordedMedium}. What is stored in memory of the process is not noted:
 * no crash leaves it.
 */
final class RecordedFile extends ForwardingMediumFile {
  private final RecordedMedium medium;
  private final DiskFile noted;

  RecordedFile(RecordedMedium medium, MediumFile file, DiskFile noted) {
    super(file);
    this.medium = medium;
    this.noted = noted;
  }

  @Override
  public void write(long offset, byte[] source, int at, int length) throws IOException {
    medium.change(
        () -> file.write(offset, source, at, length),
        () -> medium.disk().write(noted, offset, source, at, length));
  }

  @Override
  public void writeRelaxed(long offset, byte[] source, int at, int length) throws IOException {
    medium.change(
        () -> file.writeRelaxed(offset, source, at, length),
        () -> medium.disk().write(noted, offset, source, at, length));
  }

  @Override
  public void write(long offset, MemorySegment source) throws IOException {
    byte[] bytes = source.toArray(ValueLayout.JAVA_BYTE); // it may change meanwhile
    write(offset, bytes, 0, bytes.length);
  }

  @Override
  public void sync() throws IOException {
    medium.sync(file::sync, begin -> medium.disk().settle(noted, begin));
  }

  @Override
  public void allocate(long from, long to, boolean written) throws IOException {
    medium.change(
        () -> file.allocate(from, to, written),
        () -> {
          medium.disk().resize(noted, from);
          medium.disk().resize(noted, to);
          medium.disk().settleGrowth(noted, from);
        });
  }

  @Override
  public void truncate(long size) throws IOException {
    medium.change(() -> file.truncate(size), () -> medium.disk().resize(noted, size));
  }
}
