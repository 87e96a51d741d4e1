/** Maps the classes of the program to the type catalogue of one store. */
@NullMarked
package io.pmstore.proxy.schema;

import org.jspecify.annotations.NullMarked;
