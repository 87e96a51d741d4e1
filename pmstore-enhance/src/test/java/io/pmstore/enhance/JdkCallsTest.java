package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkCallsTest {
  @ParameterizedTest
  @CsvSource({
    "java/util/ArrayList, add",
    "java/util/Hashtable, put",
    "java/util/Properties, setProperty",
    "java/util/Properties, load",
    "java/util/concurrent/ConcurrentHashMap, merge",
    "java/util/Stack, push"
  })
  void changesOfCollections(String owner, String name) {
    assertTrue(JdkCalls.changesCollection(Opcodes.INVOKEVIRTUAL, owner, name));
  }

  @Test
  void readsOfCollections() {
    assertFalse(JdkCalls.changesCollection(Opcodes.INVOKEVIRTUAL, "java/util/Properties", "get"));
    assertFalse(JdkCalls.changesCollection(Opcodes.INVOKEVIRTUAL, "java/util/Scanner", "close"));
  }
}
