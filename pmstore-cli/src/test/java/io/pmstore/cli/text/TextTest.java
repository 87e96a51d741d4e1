package io.pmstore.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tables, amounts, bars, and progress on terminals only. */
class TextTest {
  @Test
  void tablesAreAligned() {
    Table table = new Table("name", ">count");
    table.row("a", 1).row("longer", "1,000");
    assertEquals(List.of("name    count", "a           1", "longer  1,000"), table.lines());
    assertEquals(List.of("x  y"), new Table("", "").row("x", "y").lines());
  }

  @Test
  void amountsHaveUnits() {
    assertEquals("0 B", Amounts.bytes(0));
    assertEquals("1023 B", Amounts.bytes(1023));
    assertEquals("1.00 KiB", Amounts.bytes(1024));
    assertEquals("16.0 MiB", Amounts.bytes(16 << 20));
    assertEquals("8.00 EiB", Amounts.bytes(Long.MAX_VALUE));
    assertEquals("1 object", Amounts.of(1, "object", "objects"));
    assertEquals("1,000 objects", Amounts.of(1000, "object", "objects"));
  }

  @Test
  void barsAreAsLongAsTheirShare() {
    assertEquals("", Amounts.bar(0, 10));
    assertEquals("▏", Amounts.bar(0.0001, 10));
    assertEquals("█████", Amounts.bar(0.5, 10));
    assertEquals("██████████", Amounts.bar(2, 10));
  }

  private static String progress(boolean isTerminal, Consumer<Progress> step) {
    StringWriter err = new StringWriter();
    Screen screen =
        new Screen(new PrintWriter(new StringWriter()), new PrintWriter(err), isTerminal, 80);
    try (Progress progress = new Progress(screen, "copying", 100, Amounts::count)) {
      long end = System.nanoTime() + 1_500_000_000;
      while (System.nanoTime() < end) {
        step.accept(progress);
        Thread.onSpinWait();
      }
    }
    return err.toString();
  }

  @Test
  void progressIsForTerminals() {
    String shown = progress(true, progress -> progress.step(50));
    assertTrue(shown.contains("copying  50 of 100  50 %"), shown);
    assertTrue(shown.endsWith("\r"), shown);
    assertEquals("", progress(false, progress -> progress.step(50)));
    assertEquals("", progress(false, progress -> progress.step("7 objects", 50, 200)));
    shown = progress(true, progress -> progress.step("7 objects", 50, 200));
    assertTrue(shown.contains("copying  7 objects  50 of 200  25 %"), shown);
    assertTrue(shown.contains("s left"), shown);
  }
}
