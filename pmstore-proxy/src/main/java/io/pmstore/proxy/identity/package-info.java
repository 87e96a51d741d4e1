/**
 * Identity: the one Java object for each object of the heap, and the persistent twins of plain
 * objects.
 */
@NullMarked
package io.pmstore.proxy.identity;

import org.jspecify.annotations.NullMarked;
