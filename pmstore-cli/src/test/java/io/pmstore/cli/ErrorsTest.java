package io.pmstore.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.cli.command.PmCommand;
import io.pmstore.cli.market.Market;
import io.pmstore.cli.text.Screen;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error of the JVM is no answer: the exit code is 3, and one line says what to do. */
class ErrorsTest {
  @TempDir Path temp;
  private Path dir;

  @BeforeEach
  void fill() throws Exception {
    dir = temp.resolve("store");
    try (PmStore store = PmStore.open(dir, Market.options())) {
      Market.fill(store, 5);
    }
  }

  @Test
  void tooLittleMemory() {
    assertFailed(new OutOfMemoryError("Java heap space"), "PM_JAVA_OPTIONS=-Xmx");
  }

  @Test
  void tooDeepAGraph() {
    assertFailed(new StackOverflowError(), "PM_JAVA_OPTIONS=-Xss");
  }

  /** What the JVM throws where a mapped file cannot be read. */
  @Test
  void anUnreadableDisk() {
    assertFailed(
        new InternalError("a fault occurred in an unsafe memory access operation"),
        "errors of the disk");
  }

  @Test
  void anyOtherError() {
    assertFailed(new AssertionError("of pm"), "--stacktrace");
  }

  private void assertFailed(Error thrown, String advice) {
    StringWriter err = new StringWriter();
    Screen screen =
        new Screen(new PrintWriter(new Failing(thrown)), new PrintWriter(err), false, 100);
    assertEquals(3, PmCommand.run(screen, "show", dir.toString()));
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().startsWith("pm: "), err::toString);
    assertTrue(err.toString().contains(advice), err::toString);
  }

  /** Throws an error where a command writes. */
  private static final class Failing extends Writer {
    private final Error error;

    Failing(Error error) {
      this.error = error;
    }

    @Override
    public void write(char[] text, int offset, int length) {
      throw error;
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
