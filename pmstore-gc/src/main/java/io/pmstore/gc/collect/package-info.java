/**
 * Garbage collection: freeing what nothing refers to any more, and tracing for the rest, while
 * transactions run.
 */
@NullMarked
package io.pmstore.gc.collect;

import org.jspecify.annotations.NullMarked;
