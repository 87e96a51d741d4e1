/** The cost of one getter and of one setter, from a plain Java field upwards. */
@NullMarked
package io.pmstore.jmh.access;

import org.jspecify.annotations.NullMarked;
