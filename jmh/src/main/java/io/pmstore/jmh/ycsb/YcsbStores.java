package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.workload.Deployment;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** Opens tables of records. */
final class YcsbStores {
  private YcsbStores() {}

  /**
   * Opens a store; makes it at the first time.
   *
   * @param sorted whether there will be scans; the same as when the store was made
   */
  static YcsbStore open(Deployment deployment, Path directory, boolean sorted)
      throws SQLException, IOException {
    return switch (deployment.kind()) {
      case PMSTORE, PMSTORE_LLPL -> new PmYcsbStore(deployment.openPmStore(directory), sorted);
      case SQLITE -> new SqliteYcsbStore(deployment, directory);
      case POSTGRES -> new PostgresYcsbStore(deployment, directory);
      case HASHMAP -> new MemoryYcsbStore(sorted);
      case BYTES -> new BytesYcsbStore(sorted);
    };
  }
}
