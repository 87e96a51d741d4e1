/**
 * The walk over everything that can be reached. It knows objects by their shapes only: which of
 * their slots hold addresses.
 */
@NullMarked
package io.pmstore.gc.trace;

import org.jspecify.annotations.NullMarked;
