package io.pmstore.jmh.oms;

import io.pmstore.oms.run.RunObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Watches a run: how fast each slice of its time is, and what the device has to write for it. */
final class Watch implements RunObserver {
  private final Optional<BlockDevice> device;
  private @Nullable ThroughputSlices slices;
  private long writtenBefore;
  private OptionalLong written = OptionalLong.empty();

  /**
   * Prepares.
   *
   * @param device whose bytes are counted, from the opened to the closed store
   */
  Watch(Optional<BlockDevice> device) {
    this.device = device;
  }

  @Override
  public void opened(LongAdder done) {
    writtenBefore = bytesWritten().orElse(0);
    slices = new ThroughputSlices(done);
  }

  @Override
  public void closed() {
    written = bytesWritten();
    if (written.isPresent()) {
      written = OptionalLong.of(written.getAsLong() - writtenBefore);
    }
  }

  private OptionalLong bytesWritten() {
    try {
      return device.isPresent()
          ? OptionalLong.of(device.get().bytesWritten())
          : OptionalLong.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Bytes that the device has written; empty if there is no device. */
  OptionalLong written() {
    return written;
  }

  /** See {@link ThroughputSlices#perSecond}; ends looking. */
  List<Double> perSecond(int count, long nanos) {
    ThroughputSlices seen = Objects.requireNonNull(slices, "the store was not opened");
    seen.close();
    return seen.perSecond(count, nanos);
  }
}
