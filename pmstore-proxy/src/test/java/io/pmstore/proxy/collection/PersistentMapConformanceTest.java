package io.pmstore.proxy.collection;

import com.google.common.collect.testing.MapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link Map}, with all features of {@code HashMap} except {@code SERIALIZABLE}:
 * a persistent map is stored, not serialized.
 */
class PersistentMapConformanceTest {
  /** The suite, once for each engine and way. */
  @TestFactory
  List<DynamicNode> suite() {
    return Conformance.tests(
        "PersistentMap",
        run ->
            MapTestSuiteBuilder.using(
                    new TestStringMapGenerator() {
                      @Override
                      protected Map<String, String> create(Map.Entry<String, String>[] entries) {
                        return run.<PersistentMap<String, String>>make(
                            CollectionKind.MAP,
                            null,
                            map -> {
                              for (Map.Entry<String, String> entry : entries) {
                                map.put(entry.getKey(), entry.getValue());
                              }
                            });
                      }
                    })
                .named("PersistentMap")
                .withFeatures(
                    MapFeature.GENERAL_PURPOSE,
                    MapFeature.ALLOWS_NULL_KEYS,
                    MapFeature.ALLOWS_NULL_VALUES,
                    MapFeature.ALLOWS_ANY_NULL_QUERIES,
                    MapFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
