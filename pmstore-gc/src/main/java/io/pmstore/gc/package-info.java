/** The collector as the core finds it. */
@NullMarked
package io.pmstore.gc;

import org.jspecify.annotations.NullMarked;
