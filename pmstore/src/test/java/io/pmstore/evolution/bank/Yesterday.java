package io.pmstore.evolution.bank;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.compiled.Compiled;
import java.nio.file.Path;
import java.util.function.IntConsumer;

/** The program that made the bank's store. */
final class Yesterday {
  private static final String SOURCE =
      """
      package io.pmstore.evolution.bank;
      import io.pmstore.Persistent;
      import java.util.*;

      @Persistent
      class OldBank implements java.util.function.IntConsumer {
        private List<OldAccount> accounts = new ArrayList<>();

        @Override
        public void accept(int count) {
          for (int number = 0; number < count; number++) {
            accounts.add(new OldAccount(number, %d));
          }
        }
      }

      @Persistent
      class OldAccount {
        private int number;
        private int balance;
        private String owner;

        OldAccount(int number, int balance) {
          this.number = number;
          this.balance = balance;
          owner = number + " after 0";
        }
      }
      """;

  private Yesterday() {}

  /** Makes a store of a bank, and closes it. */
  static void fill(Path directory, PmStoreOptions options, int accounts, int balance)
      throws ClassNotFoundException {
    Compiled classes = Compiled.of(SOURCE.formatted(balance));
    try (PmStore store = PmStore.open(directory, options)) {
      Class<?> bank = classes.loadClass("io.pmstore.evolution.bank.OldBank");
      store.transaction(() -> ((IntConsumer) store.root("bank", bank)).accept(accounts));
    }
  }
}
