/**
 * Facades: objects of JDK classes, such as {@code ArrayList}, that show the persistent collection
 * of a property declared as such a class.
 */
@NullMarked
package io.pmstore.proxy.facade;

import org.jspecify.annotations.NullMarked;
