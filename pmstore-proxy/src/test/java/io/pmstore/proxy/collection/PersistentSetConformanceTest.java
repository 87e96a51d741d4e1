package io.pmstore.proxy.collection;

import com.google.common.collect.testing.SetTestSuiteBuilder;
import com.google.common.collect.testing.TestStringSetGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.SetFeature;
import java.util.Collections;
import java.util.Set;
import junit.framework.Test;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * Guava's suite for {@link Set}, with all features of {@code HashSet} except {@code SERIALIZABLE}:
 * a persistent set is stored, not serialized.
 */
@RunWith(AllTests.class)
public final class PersistentSetConformanceTest {
  private PersistentSetConformanceTest() {}

  /** The suite, once for each engine and way. */
  public static Test suite() {
    return Conformance.suites(
        "PersistentSet",
        run ->
            SetTestSuiteBuilder.using(
                    new TestStringSetGenerator() {
                      @Override
                      protected Set<String> create(String[] elements) {
                        return run.<PersistentSet<String>>make(
                            PersistentSet::create,
                            set -> Collections.addAll(set, elements),
                            PersistentSet::new);
                      }
                    })
                .named("PersistentSet " + run)
                .withFeatures(
                    SetFeature.GENERAL_PURPOSE,
                    CollectionFeature.ALLOWS_NULL_VALUES,
                    CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                    CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                    CollectionSize.ANY)
                .createTestSuite());
  }
}
