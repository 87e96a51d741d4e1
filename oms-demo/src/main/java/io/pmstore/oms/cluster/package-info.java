/** The order management system on three local nodes of a replicated store, one of them killed. */
@NullMarked
package io.pmstore.oms.cluster;

import org.jspecify.annotations.NullMarked;
