/** The collector, which core finds with {@code ServiceLoader}. */
@NullMarked
package io.pmstore.gc;

import org.jspecify.annotations.NullMarked;
