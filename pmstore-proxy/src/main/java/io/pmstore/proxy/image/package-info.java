/**
 * What the builder of a native image has to know of persistent classes. Runs in the builder only.
 */
@NullMarked
package io.pmstore.proxy.image;

import org.jspecify.annotations.NullMarked;
