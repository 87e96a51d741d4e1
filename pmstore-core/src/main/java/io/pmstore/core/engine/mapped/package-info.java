/**
 * The mapped engine: a heap file mapped into memory, changed only through its redo log, and
 * checkpoints that write the changes to the heap file. FORMAT.md specifies the files.
 */
@NullMarked
package io.pmstore.core.engine.mapped;

import org.jspecify.annotations.NullMarked;
