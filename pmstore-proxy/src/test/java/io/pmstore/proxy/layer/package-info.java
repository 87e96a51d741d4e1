/** Tests of the object layer on stores in directories. */
@NullMarked
package io.pmstore.proxy.layer;

import org.jspecify.annotations.NullMarked;
