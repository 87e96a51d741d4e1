package io.pmstore.cli.shell;

import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Screen;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntBiFunction;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.SyntaxError;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A prompt for commands on one store, with completion of commands and paths. */
public final class Shell {
  private static final String PROMPT = "pm> ";
  private static final int WIDTH_MIN = 40;

  private final OpenedStore store;
  private final List<String> commands;
  private final List<String> classes;
  private final ToIntBiFunction<Screen, String[]> runner;

  /**
   * Prepares a prompt.
   *
   * @param commands the names of the commands
   * @param classes the names of the store's classes
   * @param runner runs a command line on a screen; the first word is the command
   */
  public Shell(
      OpenedStore store,
      List<String> commands,
      List<String> classes,
      ToIntBiFunction<Screen, String[]> runner) {
    this.store = store;
    this.commands = List.copyOf(commands);
    this.classes = List.copyOf(classes);
    this.runner = runner;
  }

  /** Runs commands until the input ends. Returns the exit code of the last command. */
  public int run() throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().name("pm").system(true).dumb(true).build()) {
      return run(terminal);
    }
  }

  /** Runs commands from a terminal until its input ends. */
  int run(Terminal terminal) {
    DefaultParser parser = new DefaultParser();
    parser.setEscapeChars(null); // paths have backslashes of their own
    parser.setQuoteChars(new char[] {'\''});
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .parser(parser)
            .completer(new PathCompleter(store, commands, classes))
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "")
            .build();
    int code = 0;
    while (true) {
      List<String> words;
      try {
        String line = reader.readLine(PROMPT);
        words = new ArrayList<>(parser.parse(line, 0).words());
      } catch (EndOfFileException e) {
        return code;
      } catch (UserInterruptException e) {
        continue;
      } catch (SyntaxError e) {
        terminal.writer().println("pm: " + e.getMessage() + "; close the quote");
        continue;
      }
      words.removeIf(String::isEmpty);
      if (words.isEmpty()) {
        continue;
      }
      if (words.getFirst().equals("exit") || words.getFirst().equals("quit")) {
        return code;
      }
      code = runner.applyAsInt(screen(terminal), words.toArray(String[]::new));
      terminal.flush();
    }
  }

  private static Screen screen(Terminal terminal) {
    boolean isTerminal = !Terminal.TYPE_DUMB.equals(terminal.getType());
    PrintWriter writer = terminal.writer();
    int width = terminal.getColumns();
    return new Screen(writer, writer, isTerminal, width >= WIDTH_MIN ? width : Screen.WIDTH);
  }
}
