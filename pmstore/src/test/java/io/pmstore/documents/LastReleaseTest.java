package io.pmstore.documents;

import io.pmstore.PmStore;
import io.pmstore.documents.EvolutionExample.Customer;
import io.pmstore.documents.EvolutionExample.Supplier;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/evolution.md of a test that fails on an unmapped change. */
class LastReleaseTest {
  @TempDir Path directory;
  private Path lastRelease;

  @BeforeEach
  void storeACustomer() {
    lastRelease = directory.resolve("store");
    EarlierVersion.storeExample(
        lastRelease,
        "Customer",
        "@Persistent public static class Customer { private String name = \"Ada\"; }");
  }

  @Test
  void lastReleasesStoreOpens() {
    PmStore.dryRun(lastRelease, Customer.class, Supplier.class).assertCompatible();
  }
}
