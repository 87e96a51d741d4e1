/**
 * The names, sizes and headers of a store's files, and the faults of files that do not fit. Owns
 * the bytes of the two header copies. It knows only the file that its caller passes.
 */
@NullMarked
package io.pmstore.core.engine.mapped.header;

import org.jspecify.annotations.NullMarked;
