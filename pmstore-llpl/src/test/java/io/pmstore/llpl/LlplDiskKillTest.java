package io.pmstore.llpl;

import java.nio.file.Path;
import java.util.Map;

/** On an ordinary disk, where PMDK makes every flush an msync. */
class LlplDiskKillTest extends LlplKillTest {
  @Override
  protected Path parent() {
    return Llpl.disk();
  }

  @Override
  protected void environment(Map<String, String> environment) {
    environment.remove("PMEM_IS_PMEM_FORCE");
  }

  @Override
  protected int rounds() {
    return 4;
  }

  @Override
  protected int commitsMs() {
    return 400;
  }

  @Override
  protected int heapRounds() {
    return 2;
  }
}
