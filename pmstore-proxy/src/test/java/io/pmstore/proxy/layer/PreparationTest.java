package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.proxy.bytecode.PersistentClasses;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreparationTest {
  @Test
  void thePreparedClassesAreSomeThatStoresKeep() throws ClassNotFoundException {
    Class<?> enhanced = Class.forName(PreparedCode.NAME);
    assertEquals(
        List.of(),
        new ProxyLayerProvider()
            .check(PmStoreOptions.defaults(), List.of(PreparedBean.class, enhanced))
            .refusals());
    assertTrue(PersistentClasses.of(enhanced).isEnhanced());
    assertFalse(PersistentClasses.of(PreparedBean.class).isEnhanced());
  }
}
