/** The benchmark jar: what it measures and how to read it is in {@code docs/benchmarks.md}. */
@NullMarked
package io.pmstore.jmh;

import org.jspecify.annotations.NullMarked;
