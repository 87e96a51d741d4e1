/** Paths from a persistent object to a value, for messages. */
@NullMarked
package io.pmstore.proxy.path;

import org.jspecify.annotations.NullMarked;
