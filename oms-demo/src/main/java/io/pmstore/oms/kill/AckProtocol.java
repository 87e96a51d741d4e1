package io.pmstore.oms.kill;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines a process that may be killed prints: each in one write to a pipe, so that a kill leaves
 * whole lines.
 */
public final class AckProtocol {
  /** The child begins to open the store. */
  static final String OPENING = "opening";

  /** The child has applied everything. */
  static final String FINISHED = "finished";

  private static final String ACKNOWLEDGED = "ack ";

  private AckProtocol() {}

  /** A report was acknowledged. */
  public static byte[] acknowledged(long orderId, int sequence) {
    return line(ACKNOWLEDGED + orderId + " " + sequence);
  }

  /** A line of ASCII. */
  public static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
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
