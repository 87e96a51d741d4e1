/**
 * Look-ups in a hash map, measured and predicted as in the thesis on modelling non-volatile memory.
 */
@NullMarked
package io.pmstore.model.lookup;

import org.jspecify.annotations.NullMarked;
