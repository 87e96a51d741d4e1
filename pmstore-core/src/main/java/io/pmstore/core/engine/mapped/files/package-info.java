/**
 * A store's directory, the open and mapped files in it, and which pages of the heap were changed or
 * compared. Owns the life of each file and mapping: creation, replacement, truncation, closing.
 */
@NullMarked
package io.pmstore.core.engine.mapped.files;

import org.jspecify.annotations.NullMarked;
