package io.pmstore.core.crash;

import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumContractTest;
import io.pmstore.crash.Barriers;
import io.pmstore.crash.Disk;
import io.pmstore.crash.FaultModel;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;

/** The simulated devices of crash tests do what real ones do. */
class RecordingMediumTest {
  private static Medium medium(FaultModel model, Path directory) {
    return new RecordingMedium(new Disk(model, Barriers.all()), directory, call -> {});
  }

  @Nested
  class OfFiles extends MediumContractTest {
    @Override
    protected Medium medium(Path directory) {
      return RecordingMediumTest.medium(FaultModel.FILE, directory);
    }
  }

  @Nested
  class OfPersistentMemory extends MediumContractTest {
    @Override
    protected Medium medium(Path directory) {
      return RecordingMediumTest.medium(FaultModel.PERSISTENT_MEMORY, directory);
    }
  }
}
