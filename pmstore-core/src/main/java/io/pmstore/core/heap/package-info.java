/**
 * Objects in the byte space: their layout, their space, the roots, and the gate through which the
 * object layer reads and writes them.
 */
@NullMarked
package io.pmstore.core.heap;

import org.jspecify.annotations.NullMarked;
