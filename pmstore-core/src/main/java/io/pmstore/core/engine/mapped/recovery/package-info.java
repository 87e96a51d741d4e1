/**
 * The replay of the log at opening. Owns what is accepted from a log, and in which order it is
 * applied.
 */
@NullMarked
package io.pmstore.core.engine.mapped.recovery;

import org.jspecify.annotations.NullMarked;
