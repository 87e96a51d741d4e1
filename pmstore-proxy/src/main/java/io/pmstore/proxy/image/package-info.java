/**
 * Tells the builder of a native image what it has to know of persistent classes. The builder runs
 * it, and nobody else.
 */
@NullMarked
package io.pmstore.proxy.image;

import org.jspecify.annotations.NullMarked;
