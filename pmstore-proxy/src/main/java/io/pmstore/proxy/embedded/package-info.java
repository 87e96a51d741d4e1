/**
 * Values with parts: records and arrays of references, each an object of the heap that nobody
 * changes.
 */
@NullMarked
package io.pmstore.proxy.embedded;

import org.jspecify.annotations.NullMarked;
