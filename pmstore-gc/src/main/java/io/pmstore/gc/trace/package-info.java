/**
 * The walk over everything reachable. It knows objects only by their shapes: which of their slots
 * hold addresses.
 */
@NullMarked
package io.pmstore.gc.trace;

import org.jspecify.annotations.NullMarked;
