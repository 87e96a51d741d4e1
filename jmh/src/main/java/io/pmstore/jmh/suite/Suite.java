package io.pmstore.jmh.suite;

import java.util.List;

/** A group of steps that belong to one question. */
public interface Suite {
  /**
   * Its name, as on the command line and in {@link io.pmstore.jmh.results.Subject#suite}: a word in
   * lower case.
   */
  String name();

  /**
   * What it measures.
   *
   * @param scale how much
   * @return the steps in their order; the same each time, as a step is found by its name in another
   *     process
   */
  List<Step> steps(Scale scale);
}
