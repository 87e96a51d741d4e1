/** Tests of values in cells. */
@NullMarked
package io.pmstore.proxy.value;

import org.jspecify.annotations.NullMarked;
