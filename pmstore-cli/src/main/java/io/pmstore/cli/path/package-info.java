/** Paths to objects, such as {@code exchange.orders[17].price}. */
@NullMarked
package io.pmstore.cli.path;

import org.jspecify.annotations.NullMarked;
