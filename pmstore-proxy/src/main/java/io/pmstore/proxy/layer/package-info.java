/** The object layer as the core sees it. */
@NullMarked
package io.pmstore.proxy.layer;

import org.jspecify.annotations.NullMarked;
