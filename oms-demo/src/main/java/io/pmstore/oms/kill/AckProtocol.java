package io.pmstore.oms.kill;

import io.pmstore.oms.flow.FlowEvent;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a process which may be killed prints on its standard output: each in one write to
 * a pipe, without a buffer. So a kill leaves whole lines, and what was printed is in the pipe
 * whatever happens next.
 */
public final class AckProtocol {
  /** The child begins to open the store. */
  static final String OPENING = "opening";

  /** The child has applied everything. */
  static final String FINISHED = "finished";

  private static final String ACKNOWLEDGED = "ack ";

  @SuppressWarnings("resource") // standard output is not ours to close
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  /** Prints that a report was acknowledged. */
  public void acknowledged(FlowEvent event) {
    print(ACKNOWLEDGED + event.orderId() + " " + event.sequence());
  }

  /** Prints a line of ASCII. */
  public void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException("the process that started this one does not listen", e);
    }
  }

  /** Parses an acknowledgement; returns null for another line. */
  public static @Nullable Acknowledgement parse(String line) {
    if (!line.startsWith(ACKNOWLEDGED)) {
      return null;
    }
    String[] parts = line.substring(ACKNOWLEDGED.length()).split(" ", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException(
          "the child printed '" + line + "'; expected '" + ACKNOWLEDGED + "ORDER REPORT'");
    }
    return new Acknowledgement(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
  }

  /**
   * A report that was acknowledged.
   *
   * @param sequence its place among the reports of its order, from 0
   */
  public record Acknowledgement(long orderId, int sequence) {}
}
