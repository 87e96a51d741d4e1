package io.pmstore.oms.cli;

import static io.pmstore.oms.targets.TargetKind.LLPL_RAW;
import static io.pmstore.oms.targets.TargetKind.PMSTORE;
import static io.pmstore.oms.targets.TargetKind.PMSTORE_LLPL;
import static io.pmstore.oms.targets.TargetKind.POSTGRES;
import static io.pmstore.oms.targets.TargetKind.SQLITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.oms.targets.Requirements;
import io.pmstore.oms.targets.TargetKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class StoreOptionsTest {
  @Test
  void llplByHandRunsUnaskedOnPersistentMemoryOnly() {
    Requirements.require(LLPL_RAW);
    assertEquals(List.of(PMSTORE, PMSTORE_LLPL, SQLITE, POSTGRES), targets(false));
    assertEquals(
        List.of(PMSTORE, PMSTORE_LLPL, LLPL_RAW, SQLITE, POSTGRES),
        targets(false, "--medium", "pmem"));
    assertEquals(List.of(LLPL_RAW), targets(false, "--targets", "llpl-raw"));
    assertEquals(List.of(PMSTORE, PMSTORE_LLPL), targets(true, "--medium", "pmem"));
  }

  private static List<TargetKind> targets(boolean kill, String... args) {
    StoreOptions options = new StoreOptions();
    new CommandLine(options).parseArgs(args);
    return options.targets(kill, System.err);
  }
}
