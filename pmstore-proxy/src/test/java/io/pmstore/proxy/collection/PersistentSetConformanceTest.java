package io.pmstore.proxy.collection;

import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.SetFeature;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link Set}, with all features of {@code HashSet} except {@code SERIALIZABLE}:
 * a persistent set is stored, not serialized.
 */
class PersistentSetConformanceTest {
  /** The suite, once for each engine and way. */
  @TestFactory
  List<DynamicNode> suite() {
    return Conformance.tests(
        "PersistentSet",
        run ->
            SetTestSuiteBuilder.using(
                    new TestStringSetGenerator() {
                      @Override
                      protected Set<String> create(String[] elements) {
                        return run.<PersistentSet<String>>make(
                            CollectionKind.SET, null, set -> Collections.addAll(set, elements));
                      }
                    })
                .named("PersistentSet")
                .withFeatures(
                    SetFeature.GENERAL_PURPOSE,
                    CollectionFeature.ALLOWS_NULL_VALUES,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
