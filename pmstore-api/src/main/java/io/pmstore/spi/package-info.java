/** What joins the API to its implementation and to generated classes. Not for use in programs. */
@NullMarked
package io.pmstore.spi;

import org.jspecify.annotations.NullMarked;
