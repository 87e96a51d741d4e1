/**
 * What the classes of the program and the type catalogue of one store have to do with each other.
 */
@NullMarked
package io.pmstore.proxy.schema;

import org.jspecify.annotations.NullMarked;
