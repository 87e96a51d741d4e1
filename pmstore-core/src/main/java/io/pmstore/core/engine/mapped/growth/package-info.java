/**
 * The sizes of the heap and of the log while a store is open. Owns when each grows or shrinks, and
 * what a crash in between leaves.
 */
@NullMarked
package io.pmstore.core.engine.mapped.growth;

import org.jspecify.annotations.NullMarked;
