package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with values of a registered type, also where the program lacks the codec. */
class ValueTypesTest {
  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults()
          .valueType(Isbn.class, ValueCodec.ofText("isbn", Isbn::text, Isbn::new));

  @TempDir Path parent;

  /** A value class as a library has it. */
  static final class Isbn {
    private final String text;

    Isbn(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Isbn other && text.equals(other.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  @Persistent(root = "library")
  public static class Library {
    private List<Object> books = new ArrayList<>();
    private List<String> notes = new ArrayList<>();

    public List<Object> getBooks() {
      return books;
    }

    public List<String> getNotes() {
      return notes;
    }
  }

  private static Isbn isbn(int number) {
    return new Isbn("978-" + number + "-a text that is out of line");
  }

  @Test
  void verificationCollectionAndBackupNeedNoCodec() {
    Path directory = parent.resolve("store");
    try (PmStore store = PmStore.open(directory, OPTIONS)) {
      Library library = store.root(Library.class);
      store.transaction(
          () -> {
            for (int i = 0; i < 1000; i++) {
              library.getBooks().add(isbn(i));
            }
            library.getNotes().add("first");
          });
    }
    VerificationReport report = PmStore.verify(directory);
    assertTrue(report.isSound(), report::toString);
    Path copy = parent.resolve("copy");
    try (PmStore store = PmStore.open(directory)) {
      Library library = store.root(Library.class);
      assertEquals(1000, library.getBooks().size());
      assertEquals(List.of("first"), library.getNotes());
      assertThrows(ClassRefusedException.class, () -> library.getBooks().get(0));
      library.getBooks().subList(500, 1000).clear();
      library.getNotes().add("second");
      store.gc();
      store.statistics();
      store.backup(copy);
    }
    for (Path path : List.of(directory, copy)) {
      VerificationReport after = PmStore.verify(path);
      assertTrue(after.isSound(), after::toString);
      try (PmStore store =
          PmStore.open(path, path.equals(copy) ? OPTIONS.readOnly(true) : OPTIONS)) {
        Library library = Objects.requireNonNull(store.root(Library.class));
        assertEquals(500, library.getBooks().size());
        assertTrue(library.getBooks().contains(isbn(499)));
        assertEquals(List.of("first", "second"), library.getNotes());
      }
    }
  }
}
