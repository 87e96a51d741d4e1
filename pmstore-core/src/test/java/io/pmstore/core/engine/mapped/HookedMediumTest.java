package io.pmstore.core.engine.mapped;

import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumContractTest;
import java.nio.file.Path;

/** The medium of tests that make calls fail does what the one inside does, if no call fails. */
class HookedMediumTest extends MediumContractTest {
  @Override
  protected Medium medium(Path directory) {
    return new HookedMedium(new FileMedium(directory), (operation, file) -> {});
  }
}
