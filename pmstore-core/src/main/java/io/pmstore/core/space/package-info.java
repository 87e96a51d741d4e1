/** Heap space: extents, chunks, size classes, reservations, and the object header. */
@NullMarked
package io.pmstore.core.space;

import org.jspecify.annotations.NullMarked;
