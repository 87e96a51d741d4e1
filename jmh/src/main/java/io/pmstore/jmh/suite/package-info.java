/** Suites of measurements: what {@code ./bench} runs, step by step. */
@NullMarked
package io.pmstore.jmh.suite;

import org.jspecify.annotations.NullMarked;
