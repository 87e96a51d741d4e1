/** What metrics and events add to a transaction. */
@NullMarked
package io.pmstore.jmh.metrics;

import org.jspecify.annotations.NullMarked;
