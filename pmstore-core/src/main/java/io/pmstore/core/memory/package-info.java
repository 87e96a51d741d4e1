/** Memory that a heap is read from: extents, and the one place that maps files. */
@NullMarked
package io.pmstore.core.memory;

import org.jspecify.annotations.NullMarked;
