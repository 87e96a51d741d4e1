/** Data structures written by hand as ordinary persistent classes, to compare collections with. */
@NullMarked
package io.pmstore.jmh.structures;

import org.jspecify.annotations.NullMarked;
