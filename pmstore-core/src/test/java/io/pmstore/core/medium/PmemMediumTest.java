package io.pmstore.core.medium;

import java.nio.file.Path;

class PmemMediumTest extends MediumContractTest {
  @Override
  protected Medium medium(Path directory) {
    return new PmemMedium(directory);
  }
}
