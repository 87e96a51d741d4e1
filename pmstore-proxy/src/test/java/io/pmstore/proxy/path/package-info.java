/** Tests of how values are named in messages. */
@NullMarked
package io.pmstore.proxy.path;

import org.jspecify.annotations.NullMarked;
