package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores of a few objects, and transactions that are larger than the log. */
class LargeTransactionTest {
  private static final int ELEMENTS = 200_000;

  @TempDir Path temporary;

  /** A root. */
  @Persistent(root = "archive")
  public static class Archive {
    private String text = "";
    private List<Integer> numbers = new ArrayList<>();

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }

    public List<Integer> getNumbers() {
      return numbers;
    }

    public void setNumbers(List<Integer> numbers) {
      this.numbers = numbers;
    }
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aStoreOfAFewObjectsTakesAMegabyteAndSoDoesItsBackup() throws IOException {
    Path directory = temporary.resolve("store");
    Path backup = temporary.resolve("backup");
    try (PmStore store = PmStore.open(directory)) {
      store.root(Archive.class).setText("short");
      store.transaction(() -> store.root(Archive.class).getNumbers().addAll(List.of(1, 2, 3)));
      store.backup(backup);
      assertTrue(bytes(directory) <= 1 << 20, "bytes while it is open: " + bytes(directory));
    }
    assertTrue(bytes(directory) <= 1 << 20, "bytes: " + bytes(directory));
    assertTrue(bytes(backup) <= 1 << 20, "bytes of the backup: " + bytes(backup));
    assertTrue(PmStore.verify(backup).isSound());
    try (PmStore store = PmStore.open(backup)) {
      assertEquals(List.of(1, 2, 3), store.root(Archive.class).getNumbers());
    }
  }

  @Test
  void aTransactionThatIsLargerThanTheLogIsThereAsAWhole() {
    PmStoreOptions options = PmStoreOptions.defaults().logSegmentSize(2 << 20);
    Path directory = temporary.resolve("store");
    String text = "0123456789".repeat(2_000_000);
    List<Integer> numbers = IntStream.range(0, ELEMENTS).boxed().toList();
    try (PmStore store = PmStore.open(directory, options)) {
      store.transaction(
          () -> {
            store.root(Archive.class).setText(text);
            store.root(Archive.class).getNumbers().addAll(numbers);
          });
    }
    try (PmStore store = PmStore.open(directory, options)) {
      assertEquals(text, store.root(Archive.class).getText());
      assertEquals(numbers, store.root(Archive.class).getNumbers());
    }
    assertTrue(PmStore.verify(directory).isSound());
  }
}
