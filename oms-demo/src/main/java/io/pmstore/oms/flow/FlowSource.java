package io.pmstore.oms.flow;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a flow comes from: a file of FIX messages, or the generator, whose messages go through the
 * same reader.
 */
public final class FlowSource {
  private static final int PROGRESS_EVERY = 1024;

  private FlowSource() {}

  /**
   * Reads a file with one message a line.
   *
   * @param progress is told the number of reports read so far, now and then
   * @throws IOException if the file cannot be read
   */
  public static OrderFlow read(Path file, IntConsumer progress) throws IOException {
    FixReader reader = new FixReader();
    // FIX is bytes; in ISO 8859-1 every byte is a character, so lengths and checksums stay right.
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        reader.read(line);
        tell(reader, progress);
      }
    }
    return reader.flow();
  }

  /**
   * Generates a flow.
   *
   * @param settings what to generate
   * @param copy also written here, one message a line, fields separated by {@code |}; null for
   *     nowhere
   * @param progress is told the number of reports made so far, now and then
   * @throws IOException if the copy cannot be written
   */
  public static OrderFlow generate(FlowSettings settings, @Nullable Path copy, IntConsumer progress)
      throws IOException {
    FixReader reader = new FixReader();
    FlowGenerator generator = new FlowGenerator(settings);
    if (copy == null) {
      generator.generate(message -> readOwn(reader, message, progress));
      return reader.flow();
    }
    try (BufferedWriter out = Files.newBufferedWriter(copy, StandardCharsets.ISO_8859_1)) {
      generator.generate(
          message -> {
            readOwn(reader, message, progress);
            try {
              out.write(message.replace('\u0001', '|'));
              out.write('\n');
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return reader.flow();
  }

  private static void readOwn(FixReader reader, String message, IntConsumer progress) {
    if (!reader.read(message)) {
      throw new IllegalStateException(
          "the generator made a message its own reader refuses: %s: %s"
              .formatted(reader.problems().getLast(), message.replace('\u0001', '|')));
    }
    tell(reader, progress);
  }

  private static void tell(FixReader reader, IntConsumer progress) {
    if (reader.reports() % PROGRESS_EVERY == 0) {
      progress.accept(reader.reports());
    }
  }
}
