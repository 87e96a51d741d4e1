package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.workload.Deployment;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Opens banks. */
final class TpcbStores {
  private TpcbStores() {}

  /** Opens a store; makes it, without anything in it, at the first time. */
  static TpcbStore open(Deployment deployment, Path directory, TpcbSize size)
      throws SQLException, IOException {
    return switch (deployment.kind()) {
      case PMSTORE, PMSTORE_LLPL -> new PmTpcbStore(deployment.openPmStore(directory), size);
      case SQLITE -> new SqliteTpcbStore(deployment, directory, size);
      case POSTGRES -> new PostgresTpcbStore(deployment, directory, size);
      case HASHMAP -> new MemoryTpcbStore(size);
      case BYTES -> throw new IllegalArgumentException("bytes has YCSB's records only");
    };
  }
}
