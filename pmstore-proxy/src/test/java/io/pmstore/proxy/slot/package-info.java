@NullMarked
package io.pmstore.proxy.slot;

import org.jspecify.annotations.NullMarked;
