/** The object layer, which implements the interface of core. */
@NullMarked
package io.pmstore.proxy.layer;

import org.jspecify.annotations.NullMarked;
