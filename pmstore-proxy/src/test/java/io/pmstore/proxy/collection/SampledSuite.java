package io.pmstore.proxy.collection;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestSuite;

/**
 * A random part of a conformance suite that is too large to run as a whole each time: Guava's suite
 * of a navigable map has 33,000 tests, for each of the runs. The seed chooses the tests, so that
 * several builds cover all of them. {@code -Dpmstore.conformance.all=true} runs all.
 */
final class SampledSuite {
  static final boolean ALL = Boolean.getBoolean("pmstore.conformance.all");
  private static final Random RANDOM = Seed.random("SampledSuite");

  private SampledSuite() {}

  /**
   * Deals tests of a suite out, each of them at most once.
   *
   * @param every each part gets about one test of so many; at least as many as there are parts
   * @param parts how many there are
   */
  static List<TestSuite> deal(TestSuite suite, int every, int parts) {
    List<TestSuite> dealt =
        Stream.generate(() -> new TestSuite(suite.getName())).limit(parts).toList();
    for (Test test : Collections.list(suite.tests())) {
      if (test instanceof TestSuite inner) {
        List<TestSuite> some = deal(inner, every, parts);
        for (int i = 0; i < parts; i++) {
          if (some.get(i).testCount() > 0) {
            dealt.get(i).addTest(some.get(i));
          }
        }
      } else {
        int part = RANDOM.nextInt(every);
        if (part < parts) {
          dealt.get(part).addTest(test);
        }
      }
    }
    return dealt;
  }
}
