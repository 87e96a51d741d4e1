/** Tests of how plain objects become persistent. */
@NullMarked
package io.pmstore.proxy.convert;

import org.jspecify.annotations.NullMarked;
