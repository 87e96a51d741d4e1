/** Tests of how classes go on from what a store has of them. */
@NullMarked
package io.pmstore.proxy.evolution;

import org.jspecify.annotations.NullMarked;
