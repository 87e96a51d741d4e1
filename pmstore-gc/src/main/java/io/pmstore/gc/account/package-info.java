/** Counts the space of a store by class. */
@NullMarked
package io.pmstore.gc.account;

import org.jspecify.annotations.NullMarked;
