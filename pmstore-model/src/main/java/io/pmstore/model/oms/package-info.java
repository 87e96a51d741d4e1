/** The order management system, measured and predicted over threads and media. */
@NullMarked
package io.pmstore.model.oms;

import org.jspecify.annotations.NullMarked;
