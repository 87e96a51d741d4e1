/** Simulates caches of lines and of translations, over recorded or made-up accesses. */
@NullMarked
package io.pmstore.model.cache;

import org.jspecify.annotations.NullMarked;
