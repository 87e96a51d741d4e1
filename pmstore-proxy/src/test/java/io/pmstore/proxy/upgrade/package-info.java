/** Tests of objects of older shapes. */
@NullMarked
package io.pmstore.proxy.upgrade;

import org.jspecify.annotations.NullMarked;
