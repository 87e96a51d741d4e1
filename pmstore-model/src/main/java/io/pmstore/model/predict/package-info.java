/** Predicts throughput and latency of a workload on a profile. */
@NullMarked
package io.pmstore.model.predict;

import org.jspecify.annotations.NullMarked;
