package io.pmstore.proxy.collection;

import com.google.common.collect.testing.NavigableMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.MapFeature;
import io.pmstore.proxy.collection.TestCodec.Orders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import junit.framework.TestSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link NavigableMap}, with all features of {@code TreeMap} except {@code
 * SERIALIZABLE}: a persistent map is stored, not serialized. As for {@code TreeMap}, null keys are
 * a feature only of a map whose comparator accepts null.
 */
class PersistentSortedMapConformanceTest {
  private static final List<Feature<?>> FEATURES =
      List.of(
          MapFeature.GENERAL_PURPOSE,
          MapFeature.ALLOWS_NULL_VALUES,
          MapFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
          CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
          CollectionFeature.KNOWN_ORDER,
          CollectionSize.ANY);

  /** A part of the suite, once for each engine and way, in both orders. */
  @TestFactory
  List<DynamicNode> suite() {
    List<DynamicNode> all = new ArrayList<>();
    all.addAll(
        Conformance.sample(
            "PersistentSortedMap", 32, run -> suite(run, "natural", null, FEATURES)));
    List<Feature<?>> withNull = new ArrayList<>(FEATURES);
    withNull.add(MapFeature.ALLOWS_NULL_KEYS);
    withNull.add(MapFeature.ALLOWS_ANY_NULL_QUERIES);
    all.addAll(
        Conformance.sample(
            "PersistentSortedMap with null",
            96,
            run -> suite(run, "as text", Orders.TEXT, withNull)));
    return all;
  }

  private static TestSuite suite(
      Conformance run,
      String name,
      @Nullable Comparator<@Nullable Object> comparator,
      List<Feature<?>> features) {
    return NavigableMapTestSuiteBuilder.using(
            new TestStringSortedMapGenerator() {
              @Override
              protected SortedMap<String, String> create(Map.Entry<String, String>[] entries) {
                return run.<PersistentSortedMap<String, String>>make(
                    CollectionKind.SORTED_MAP,
                    comparator,
                    map -> {
                      for (Map.Entry<String, String> entry : entries) {
                        map.put(entry.getKey(), entry.getValue());
                      }
                    });
              }
            })
        .named("PersistentSortedMap " + name)
        .withFeatures(features)
        .createTestSuite();
  }
}
