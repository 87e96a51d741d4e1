/**
 * The slots of objects: reads and writes slots of every kind. Records and arrays of references in
 * cells are values with parts; each is an immutable object of the heap.
 */
@NullMarked
package io.pmstore.proxy.slot;

import org.jspecify.annotations.NullMarked;
