/** How much of a store's space its objects fill. */
@NullMarked
package io.pmstore.jmh.fragmentation;

import org.jspecify.annotations.NullMarked;
