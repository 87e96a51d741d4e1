package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Values whose text is no Unicode are refused, since UTF-8 has no bytes for it. */
class UnpairedSurrogatesTest extends StoreTest {

  /** The root. */
  @Persistent(root = "texts")
  static class Texts {
    private Map<String, Object> all = new HashMap<>();

    Map<String, Object> getAll() {
      return all;
    }

    void setAll(Map<String, Object> all) {
      this.all = all;
    }
  }

  @Test
  void aTextThatHasNoBytesIsRefused() {
    Map<String, Object> all = store().root(Texts.class).getAll();
    for (Object value :
        List.of(
            Pattern.compile("a\ud800"),
            Pattern.compile("\udc00b"),
            Pattern.compile("\udc00\ud800"),
            new File("x\ud83dy"))) {
      String message =
          assertThrows(NotPersistableException.class, () -> all.put("k", value)).getMessage();
      assertTrue(message.contains(value.getClass().getName()), message);
      assertTrue(message.contains("half of a surrogate pair"), message);
      assertNull(all.get("k"));
    }
  }

  @Test
  void pairsAndStringsAreKept() {
    Map<String, Object> all = store().root(Texts.class).getAll();
    all.put("pattern", Pattern.compile("\ud83d\ude00"));
    all.put("file", new File("\ud83d\ude00"));
    all.put("string", "a\ud800");
    reopen();
    Map<String, Object> again = store().root(Texts.class).getAll();
    assertEquals("\ud83d\ude00", String.valueOf(again.get("pattern")));
    assertEquals(new File("\ud83d\ude00"), again.get("file"));
    assertEquals("a\ud800", again.get("string"));
  }
}
