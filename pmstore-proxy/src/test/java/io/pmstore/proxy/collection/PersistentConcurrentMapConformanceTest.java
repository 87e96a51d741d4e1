package io.pmstore.proxy.collection;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link ConcurrentMap}, with all features of {@code ConcurrentHashMap} except
 * {@code SERIALIZABLE}: a persistent map is stored, not serialized.
 */
class PersistentConcurrentMapConformanceTest {
  /** The suite, once for each engine and way. */
  @TestFactory
  List<DynamicNode> suite() {
    return Conformance.tests(
        "PersistentConcurrentMap",
        run ->
            ConcurrentMapTestSuiteBuilder.using(
                    new TestStringMapGenerator() {
                      @Override
                      protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                        return run.<PersistentConcurrentMap<String, String>>make(
                            CollectionKind.CONCURRENT_MAP,
                            null,
                            map -> {
                              for (Map.Entry<String, String> entry : entries) {
                                map.put(entry.getKey(), entry.getValue());
                              }
                            });
                      }
                    })
                .named("PersistentConcurrentMap")
                .withFeatures(
                    MapFeature.GENERAL_PURPOSE,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
