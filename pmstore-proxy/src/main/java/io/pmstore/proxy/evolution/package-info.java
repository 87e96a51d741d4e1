/**
 * The evolution of classes: the effect of a change of a class on the objects in the store, and the
 * place in an older object of the value of each property of the present class.
 */
@NullMarked
package io.pmstore.proxy.evolution;

import org.jspecify.annotations.NullMarked;
