/**
 * Values in cells: numbers, strings, enums, dates and times, as the type catalogue's cell layout
 * says.
 */
@NullMarked
package io.pmstore.proxy.value;

import org.jspecify.annotations.NullMarked;
