package io.pmstore.proxy.collection;

import java.util.Collections;
import java.util.Random;
import junit.framework.Test;
import junit.framework.TestSuite;

/**
 * A part of a conformance suite that is too large to be run as a whole each time: Guava's suite of
 * a navigable map is 33,000 tests, once for each of the runs. The seed decides which tests are in
 * it, so that over some builds each test is; all of them with {@code
 * -Dpmstore.conformance.all=true}.
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
