/** The object layer as core sees it. */
@NullMarked
package io.pmstore.proxy.layer;

import org.jspecify.annotations.NullMarked;
