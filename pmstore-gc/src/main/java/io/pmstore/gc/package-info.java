/** The collector, as core finds it. */
@NullMarked
package io.pmstore.gc;

import org.jspecify.annotations.NullMarked;
