/**
 * The replay of the log at opening. Owns the rules for which records of a log count, and the order
 * in which they are applied.
 */
@NullMarked
package io.pmstore.core.engine.mapped.recovery;

import org.jspecify.annotations.NullMarked;
