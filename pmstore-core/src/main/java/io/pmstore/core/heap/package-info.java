/**
 * Objects in the byte space: their layout, the roots and the type catalogue, and the interface
 * through which the object layer reads and writes them.
 */
@NullMarked
package io.pmstore.core.heap;

import org.jspecify.annotations.NullMarked;
