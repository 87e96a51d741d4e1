/**
 * Values in cells: numbers, strings, enums, dates and times. {@link
 * io.pmstore.core.catalogue.CellLayout} has the layout.
 */
@NullMarked
package io.pmstore.proxy.value;

import org.jspecify.annotations.NullMarked;
