/**
 * The interface between generated or enhanced classes and the implementation of pmstore. Not for
 * use in programs; it may change in any version.
 */
@NullMarked
package io.pmstore.spi;

import org.jspecify.annotations.NullMarked;
