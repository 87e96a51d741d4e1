package io.pmstore.proxy.collection;

import java.util.Collections;
import java.util.Random;
import junit.framework.Test;
import junit.framework.TestSuite;

/**
 * A random part of a conformance suite that is too large to run as a whole each time: Guava's suite
 * of a navigable map has 33,000 tests, for each of the runs. The seed chooses the tests, so that
 * several builds cover all of them. {@code -Dpmstore.conformance.all=true} runs all.
 */
final class SampledSuite {
  private static final boolean ALL = Boolean.getBoolean("pmstore.conformance.all");
  private static final Random RANDOM = Seed.random("SampledSuite");

  private SampledSuite() {}

  /** About one of so many of the tests of a suite. */
  static TestSuite of(TestSuite suite, int every) {
    if (ALL) {
      return suite;
    }
    TestSuite sample = new TestSuite(suite.getName());
    for (Test test : Collections.list(suite.tests())) {
      if (test instanceof TestSuite inner) {
        TestSuite some = of(inner, every);
        if (some.testCount() > 0) {
          sample.addTest(some);
        }
      } else if (RANDOM.nextInt(every) == 0) {
        sample.addTest(test);
      }
    }
    return sample;
  }
}
