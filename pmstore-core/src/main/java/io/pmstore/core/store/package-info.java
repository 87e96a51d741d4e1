/** What a store directory is, whatever engine keeps its bytes: who may open it. */
@NullMarked
package io.pmstore.core.store;

import org.jspecify.annotations.NullMarked;
