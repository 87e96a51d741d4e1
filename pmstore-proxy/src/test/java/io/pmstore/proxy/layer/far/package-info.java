/** Superclasses in a package of their own. */
@NullMarked
package io.pmstore.proxy.layer.far;

import org.jspecify.annotations.NullMarked;
