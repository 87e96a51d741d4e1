/** The cost of one new object of 100 bytes, from Java's own upwards. */
@NullMarked
package io.pmstore.jmh.allocation;

import org.jspecify.annotations.NullMarked;
