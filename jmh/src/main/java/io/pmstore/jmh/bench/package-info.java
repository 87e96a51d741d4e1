/** The driver of {@code ./bench}: runs the steps of the suites, each in a JVM of its own. */
@NullMarked
package io.pmstore.jmh.bench;

import org.jspecify.annotations.NullMarked;
