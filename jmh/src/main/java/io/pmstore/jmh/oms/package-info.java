/** The order management system on all stores: the suite {@code oms}. */
@NullMarked
package io.pmstore.jmh.oms;

import org.jspecify.annotations.NullMarked;
