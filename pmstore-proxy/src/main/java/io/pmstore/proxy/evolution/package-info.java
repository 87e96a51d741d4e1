/**
 * The evolution of classes: what a change of a class means for the objects in the store, and where
 * an older object has the value of each property of today's class.
 */
@NullMarked
package io.pmstore.proxy.evolution;

import org.jspecify.annotations.NullMarked;
