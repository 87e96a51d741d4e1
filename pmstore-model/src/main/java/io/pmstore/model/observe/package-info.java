/**
 * Counts what operations of a store read and write, in classes that are loaded with counters in
 * them.
 */
@NullMarked
package io.pmstore.model.observe;

import org.jspecify.annotations.NullMarked;
