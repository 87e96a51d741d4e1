package io.pmstore.cli.text;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes.
 *
 * @param out its result, in UTF-8
 * @param err errors and progress
 * @param isTerminal true if a person sees {@code err} at once
 * @param width the characters of a line
 */
public record Screen(PrintWriter out, PrintWriter err, boolean isTerminal, int width) {
  /** The characters of a line where nobody says how many there are. */
  public static final int WIDTH = 100;

  public static Screen ofProcess() {
    Console console = System.console();
    return new Screen(
        writer(FileDescriptor.out), writer(FileDescriptor.err), isTerminal(console), columns());
  }

  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }

  private static boolean isTerminal(@Nullable Console console) {
    return console != null && console.isTerminal();
  }

  private static int columns() {
    String columns = System.getenv("COLUMNS");
    return columns != null && columns.matches("[1-9][0-9]{1,3}")
        ? Math.max(40, Integer.parseInt(columns))
        : WIDTH;
  }
}
