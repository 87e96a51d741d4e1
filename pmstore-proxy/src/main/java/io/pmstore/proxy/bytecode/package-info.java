/**
 * Generates the class of the persistent objects of each persistent class, beside it in its package
 * and class loader.
 */
@NullMarked
package io.pmstore.proxy.bytecode;

import org.jspecify.annotations.NullMarked;
