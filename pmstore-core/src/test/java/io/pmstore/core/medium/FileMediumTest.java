package io.pmstore.core.medium;

import java.nio.file.Path;

class FileMediumTest extends MediumContractTest {
  @Override
  protected Medium medium(Path directory) {
    return new FileMedium(directory);
  }
}
