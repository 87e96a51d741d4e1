package io.pmstore.proxy.collection;

import com.google.common.collect.testing.QueueTestSuiteBuilder;
import com.google.common.collect.testing.TestStringQueueGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import java.util.Collections;
import java.util.Queue;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * Guava's suite for {@link Queue}, the nearest that it has to a deque, with all features of {@code
 * ArrayDeque} but one, {@code SERIALIZABLE}, since a persistent deque is stored and not serialized;
 * and with one more, failing fast. What a deque has beyond a queue is in {@link
 * PersistentDequeModelTest}.
 */
@RunWith(AllTests.class)
public final class PersistentDequeConformanceTest {
  private PersistentDequeConformanceTest() {}

  /** The suite, once for each engine and way. */
  public static Test suite() {
    return Conformance.suites(
        "PersistentDeque",
        run ->
            QueueTestSuiteBuilder.using(
                    new TestStringQueueGenerator() {
                      @Override
                      protected Queue<String> create(String[] elements) {
                        return run.<PersistentDeque<String>>make(
                            PersistentDeque::create,
                            deque -> Collections.addAll(deque, elements),
                            PersistentDeque::new);
                      }
                    })
                .named("PersistentDeque " + run)
                .withFeatures(
                    CollectionFeature.GENERAL_PURPOSE,
                    CollectionFeature.KNOWN_ORDER,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
