/**
 * The path of a write set through the log into the heap. Owns the order of commits, and the phases
 * that tell a checkpoint which commits are applied.
 */
@NullMarked
package io.pmstore.core.engine.mapped.commit;

import org.jspecify.annotations.NullMarked;
