/**
 * The checksums of the heap file's pages: their file, its layout, and their recomputation by a
 * repair. Owns the definition and the place of each sum; checkpoints decide when one is written.
 */
@NullMarked
package io.pmstore.core.engine.mapped.sums;

import org.jspecify.annotations.NullMarked;
