/**
 * Garbage collection: freeing unlinked objects, and tracing for the rest, while transactions run.
 */
@NullMarked
package io.pmstore.gc.collect;

import org.jspecify.annotations.NullMarked;
