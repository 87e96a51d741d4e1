package io.pmstore.proxy.collection;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * Guava's suite for {@link ConcurrentMap}, with all features of {@code ConcurrentHashMap} except
 * {@code SERIALIZABLE}: a persistent map is stored, not serialized.
 */
@RunWith(AllTests.class)
public final class PersistentConcurrentMapConformanceTest {
  private PersistentConcurrentMapConformanceTest() {}

  /** The suite, once for each engine and way. */
  public static Test suite() {
    return Conformance.suites(
        "PersistentConcurrentMap",
        run ->
            ConcurrentMapTestSuiteBuilder.using(
                    new TestStringMapGenerator() {
                      @Override
                      protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                        return run.<PersistentConcurrentMap<String, String>>make(
                            PersistentConcurrentMap::createConcurrent,
                            map -> {
                              for (Map.Entry<String, String> entry : entries) {
                                map.put(entry.getKey(), entry.getValue());
                              }
                            },
                            PersistentConcurrentMap::new);
                      }
                    })
                .named("PersistentConcurrentMap " + run)
                .withFeatures(
                    MapFeature.GENERAL_PURPOSE,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
