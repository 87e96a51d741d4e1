package io.pmstore.proxy.layer;

import io.pmstore.core.engine.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a set or map finds before its store is closed, it finds in every later JVM, even if a key's
 * hash code involves an enum, a class, or an object's identity.
 */
class HashCodesOfJvmsTest {
  @TempDir Path directory;

  @Test
  void everyJvmFindsWhatEarlierOnesHavePutIn() {
    jvm(0, false).run();
    jvm(1, false).run();
    // All identity hash codes are 1.
    jvm(2, false).withOptions("-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2").run();
    jvm(3, true).run();
    jvm(3, false).run();
  }

  private ChildJvm jvm(int number, boolean readOnly) {
    return new ChildJvm(HashCodesOfJvms.class, directory, number, readOnly);
  }
}
