package io.pmstore.proxy.collection;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link List}, with all features of {@code ArrayList} except {@code
 * SERIALIZABLE}: a persistent list is stored, not serialized.
 */
class PersistentListConformanceTest {
  /** The suite, once for each engine and way. */
  @TestFactory
  List<DynamicNode> suite() {
    return Conformance.tests(
        "PersistentList",
        run ->
            ListTestSuiteBuilder.using(
                    new TestStringListGenerator() {
                      @Override
                      protected List<String> create(String[] elements) {
                        return run.<PersistentList<String>>make(
                            CollectionKind.LIST, null, list -> Collections.addAll(list, elements));
                      }
                    })
                .named("PersistentList")
                .withFeatures(
                    ListFeature.GENERAL_PURPOSE,
                    CollectionFeature.ALLOWS_NULL_VALUES,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
