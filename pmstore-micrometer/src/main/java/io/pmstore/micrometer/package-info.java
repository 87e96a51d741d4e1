/**
 * Publishes the metrics of a store as meters of Micrometer: {@link
 * io.pmstore.micrometer.PmStoreMetrics}.
 */
@NullMarked
package io.pmstore.micrometer;

import org.jspecify.annotations.NullMarked;
