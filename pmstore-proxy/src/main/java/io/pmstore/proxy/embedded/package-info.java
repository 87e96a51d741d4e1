/** Values with parts: records and arrays of references. Each is an immutable object of the heap. */
@NullMarked
package io.pmstore.proxy.embedded;

import org.jspecify.annotations.NullMarked;
