/**
 * The names, sizes and headers of a store's files, and what is wrong with one that does not fit.
 * Owns the bytes of the two header copies; knows no file but the one that it is given.
 */
@NullMarked
package io.pmstore.core.engine.mapped.header;

import org.jspecify.annotations.NullMarked;
