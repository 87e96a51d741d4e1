/** Tests of how classes continue what a store has of them. */
@NullMarked
package io.pmstore.proxy.evolution;

import org.jspecify.annotations.NullMarked;
