/**
 * Garbage collection while transactions run: frees unlinked objects, and finds all other garbage by
 * mark and sweep.
 */
@NullMarked
package io.pmstore.gc.collect;

import org.jspecify.annotations.NullMarked;
