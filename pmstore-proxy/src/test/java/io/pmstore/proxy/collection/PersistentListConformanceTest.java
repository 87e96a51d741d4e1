package io.pmstore.proxy.collection;

import com.google.common.collect.testing.ListTestSuiteBuilder;
import com.google.common.collect.testing.TestStringListGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.ListFeature;
import java.util.List;
import junit.framework.Test;
import junit.framework.TestSuite;
import org.junit.runner.RunWith;
import org.junit.runners.AllTests;

/**
 * Guava's suite for {@link List}, with all features of {@code ArrayList} but one: {@code
 * SERIALIZABLE}, since a persistent list is stored and not serialized.
 */
@RunWith(AllTests.class)
public final class PersistentListConformanceTest {
  private PersistentListConformanceTest() {}

  /** The suite, once for each way. */
  public static Test suite() {
    TestSuite all = new TestSuite("PersistentList");
    for (Conformance way : Conformance.values()) {
      all.addTest(
          way.run(
              ListTestSuiteBuilder.using(
                      new TestStringListGenerator() {
                        @Override
                        protected List<String> create(String[] elements) {
                          return way.list(elements);
                        }
                      })
                  .named("PersistentList " + way)
                  .withFeatures(
                      ListFeature.GENERAL_PURPOSE,
                      CollectionFeature.ALLOWS_NULL_VALUES,
                      CollectionFeature.SUPPORTS_ITERATOR_REMOVE,
                      CollectionFeature.FAILS_FAST_ON_CONCURRENT_MODIFICATION,
                      CollectionSize.ANY)
                  .createTestSuite()));
    }
    return all;
  }
}
