package io.pmstore.proxy.collection;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;

/**
 * Guava's suite for {@link Queue}, its nearest to a deque, with all features of {@code ArrayDeque}
 * except {@code SERIALIZABLE} (a persistent deque is stored, not serialized), and with fail-fast
 * iterators. {@link PersistentDequeModelTest} tests what a deque has beyond a queue.
 */
class PersistentDequeConformanceTest {
  /** The suite, once for each engine and way. */
  @TestFactory
  List<DynamicNode> suite() {
    return Conformance.tests(
        "PersistentDeque",
        run ->
            QueueTestSuiteBuilder.using(
                    new TestStringQueueGenerator() {
                      @Override
                      protected Queue<String> create(String[] elements) {
                        return run.<PersistentDeque<String>>make(
                            CollectionKind.DEQUE,
                            null,
                            deque -> Collections.addAll(deque, elements));
                      }
                    })
                .named("PersistentDeque")
                .withFeatures(
                    CollectionFeature.GENERAL_PURPOSE,
                    CollectionFeature.KNOWN_ORDER,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
