/**
 * Objects of a store without their classes: as names, properties and values, from the type
 * catalogue. For tools.
 */
@NullMarked
package io.pmstore.proxy.generic;

import org.jspecify.annotations.NullMarked;
