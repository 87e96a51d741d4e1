package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.cli.command.PmCommand;
import io.pmstore.cli.text.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

/** Runs the tool in this process. */
final class Cli {
  private Cli() {}

  record Result(int code, String out, String err) {
    /** Requires an exit code, and returns what was written. */
    String expect(int expected) {
      assertEquals(expected, code, () -> out + err);
      return out;
    }
  }

  static Result run(Object... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Screen screen = new Screen(new PrintWriter(out), new PrintWriter(err), false, 100);
    int code =
        PmCommand.run(screen, Arrays.stream(args).map(String::valueOf).toArray(String[]::new));
    return new Result(code, out.toString(), err.toString());
  }

  static String ok(Object... args) {
    return run(args).expect(0);
  }
}
