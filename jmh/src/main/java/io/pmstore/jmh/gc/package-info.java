/** Garbage: what it costs to make it, and to find it. */
@NullMarked
package io.pmstore.jmh.gc;

import org.jspecify.annotations.NullMarked;
