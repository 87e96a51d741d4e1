/** The same order management service over each store that is compared. */
@NullMarked
package io.pmstore.oms.targets;

import org.jspecify.annotations.NullMarked;
