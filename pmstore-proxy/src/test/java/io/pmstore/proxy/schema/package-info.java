/** Tests of what a store knows about the classes of the program. */
@NullMarked
package io.pmstore.proxy.schema;

import org.jspecify.annotations.NullMarked;
