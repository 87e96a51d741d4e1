/** Measures a memory: latencies and their steps, bandwidths, barriers, parallelism. */
@NullMarked
package io.pmstore.model.probe;

import org.jspecify.annotations.NullMarked;
