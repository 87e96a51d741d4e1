package io.pmstore.core.engine.mapped.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** No message about a store with missing files advises a step that loses the remaining ones. */
class MissingPartsTest {

  private static String refusal(SortedSet<String> names) {
    String message =
        assertThrows(
                PmStoreException.class,
                () -> StoreDirectory.holdsStore(Path.of("/data/store"), names))
            .getMessage();
    assertTrue(message.startsWith("/data/store "), message);
    assertFalse(message.contains("empty it"), message);
    return message;
  }

  private static SortedSet<String> whole() {
    SortedSet<String> names = new TreeSet<>(StoreLayout.PARTS);
    names.addAll(List.of(StoreLayout.HEAP, StoreLayout.LOCK));
    return names;
  }

  @Test
  void whereTheHeapIsNobodyIsToldToDeleteIt() {
    for (String part : StoreLayout.PARTS) {
      SortedSet<String> names = whole();
      names.remove(part);
      String message = refusal(names);
      assertTrue(message.contains("has no file '" + part + "'"), message);
      assertTrue(message.contains("its data is still in 'heap', so delete nothing"), message);
    }
  }

  @Test
  void whereTheHeapIsMissingThatIsSaid() {
    SortedSet<String> names = whole();
    names.remove(StoreLayout.HEAP);
    assertTrue(refusal(names).contains("no file 'heap', which holds the data"));
  }

  @Test
  void anUnfinishedHeapWithoutALockIsLeftAlone() {
    assertTrue(
        refusal(new TreeSet<>(List.of(StoreLayout.HEAP_NEW))).contains("choose another directory"));
  }
}
