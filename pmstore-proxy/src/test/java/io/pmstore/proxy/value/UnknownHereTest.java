package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A value that only another JVM knows is not taken for damage. */
class UnknownHereTest {
  private static void assertUnknown(String part, Executable read) {
    PmStoreException thrown = assertThrows(PmStoreException.class, read);
    assertEquals(PmStoreException.class, thrown.getClass(), "no damage");
    assertTrue(String.valueOf(thrown.getMessage()).contains(part), thrown.getMessage());
  }

  private static Executable read(TextCells kind, String text) {
    return () -> TextCells.value(kind.code, 0, text);
  }

  @Test
  void aValueThatThisJvmDoesNotKnowNamesWhatBringsIt() {
    assertUnknown("charset \"x-none\"", read(TextCells.CHARSET, "x-none"));
    assertUnknown("currency \"QQQ\"", read(TextCells.CURRENCY, "QQQ"));
    assertUnknown("time zone \"Europe/Nowhere\"", read(TextCells.TIME_ZONE, "Europe/Nowhere"));
    assertUnknown("URL \"none://host/\"", read(TextCells.URL, "none://host/"));
    assertUnknown("time zone \"Europe/Nowhere\"", () -> TimeCells.zone("Europe/Nowhere"));
  }

  @Test
  void whatNoJvmWritesIsDamage() {
    assertThrows(IllegalArgumentException.class, read(TextCells.CHARSET, "\u0000"));
    assertThrows(IllegalArgumentException.class, read(TextCells.CURRENCY, "Q"));
    assertThrows(IllegalArgumentException.class, read(TextCells.URL, "host/"));
    assertThrows(IllegalArgumentException.class, read(TextCells.TIME_ZONE, "x\u0001"));
    assertThrows(RuntimeException.class, () -> TimeCells.zone("\u0000"));
  }
}
