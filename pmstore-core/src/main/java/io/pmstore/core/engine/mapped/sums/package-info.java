/**
 * The checksums of the heap file's pages: their file, its layout, and their recomputation by a
 * repair. Owns what a sum is and where it lies; when one is written is the business of checkpoints.
 */
@NullMarked
package io.pmstore.core.engine.mapped.sums;

import org.jspecify.annotations.NullMarked;
