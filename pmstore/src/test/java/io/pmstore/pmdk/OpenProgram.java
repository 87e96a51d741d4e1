package io.pmstore.pmdk;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import java.nio.file.Path;

/** Opens a store twice and uses it; prints {@code opened} or the message, one a line. */
final class OpenProgram {
  private OpenProgram() {}

  /** Takes the directory and the storage. */
  public static void main(String[] arguments) {
    for (int i = 0; i < 2; i++) {
      try (PmStore store =
          PmStore.open(
              Path.of(arguments[0]), Bank.options().storage(Storage.valueOf(arguments[1])))) {
        Bank bank = Bank.of(store);
        bank.getNotes().put(1L, "a note");
        System.out.println("opened");
      } catch (PmStoreException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
