/** The memory of a heap: extents, and the class that maps files. */
@NullMarked
package io.pmstore.core.memory;

import org.jspecify.annotations.NullMarked;
