package io.pmstore.proxy.collection;

import com.google.common.collect.testing.NavigableSetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSortedSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.Feature;
import com.google.common.collect.testing.features.SetFeature;
import io.pmstore.proxy.collection.TestCodec.Orders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import junit.framework.TestSuite;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link NavigableSet}, with all features of {@code TreeSet} except {@code
 * SERIALIZABLE}: a persistent set is stored, not serialized. As for {@code TreeSet}, null is a
 * feature only of a set whose comparator accepts null.
 */
class PersistentSortedSetConformanceTest {
  private static final List<Feature<?>> FEATURES =
      List.of(
          SetFeature.GENERAL_PURPOSE,
          CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
          CollectionFeature.KNOWN_ORDER,
          CollectionSize.ANY);

  /** A part of the suite, once for each engine and way, in both orders. */
  @TestFactory
  List<DynamicNode> suite() {
    List<DynamicNode> all = new ArrayList<>();
    all.addAll(
        Conformance.sample("PersistentSortedSet", 6, run -> suite(run, "natural", null, FEATURES)));
    List<Feature<?>> withNull = new ArrayList<>(FEATURES);
    withNull.add(CollectionFeature.ALLOWS_NULL_VALUES);
    all.addAll(
        Conformance.sample(
            "PersistentSortedSet with null",
            24,
            run -> suite(run, "as text", Orders.TEXT, withNull)));
    return all;
  }

  private static TestSuite suite(
      Conformance run,
      String name,
      @Nullable Comparator<@Nullable Object> comparator,
      List<Feature<?>> features) {
    return NavigableSetTestSuiteBuilder.using(
            new TestStringSortedSetGenerator() {
              @Override
              protected SortedSet<String> create(String[] elements) {
                return run.<PersistentSortedSet<String>>make(
                    CollectionKind.SORTED_SET,
                    comparator,
                    set -> set.addAll(java.util.Arrays.asList(elements)));
              }
            })
        .named("PersistentSortedSet " + name)
        .withFeatures(features)
        .createTestSuite();
  }
}
