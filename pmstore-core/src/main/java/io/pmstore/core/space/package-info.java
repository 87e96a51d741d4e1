/**
 * The space of the heap: extents cut into chunks, size classes, reservations, and the header of an
 * object.
 */
@NullMarked
package io.pmstore.core.space;

import org.jspecify.annotations.NullMarked;
