/**
 * The mapped engine: a heap file mapped into memory, changed only through its redo log, and
 * checkpoints that write the changes to the heap file. This package opens, repairs and backs up
 * stores and puts the engine together from the packages below it; FORMAT.md specifies the files.
 */
@NullMarked
package io.pmstore.core.engine.mapped;

import org.jspecify.annotations.NullMarked;
