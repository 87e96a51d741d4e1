/**
 * The mapped engine: a heap file mapped into memory, changed only as its redo log says, with
 * checkpoints that bring the heap file up to date. FORMAT.md specifies the files.
 */
@NullMarked
package io.pmstore.core.engine.mapped;

import org.jspecify.annotations.NullMarked;
