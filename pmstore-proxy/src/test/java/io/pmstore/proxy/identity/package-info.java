/** Tests of the identity map. */
@NullMarked
package io.pmstore.proxy.identity;

import org.jspecify.annotations.NullMarked;
