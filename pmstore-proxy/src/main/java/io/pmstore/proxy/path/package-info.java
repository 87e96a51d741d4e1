/** How a value is reached from a persistent object, for messages. */
@NullMarked
package io.pmstore.proxy.path;

import org.jspecify.annotations.NullMarked;
