/**
 * Transactions: optimistic, serializable, with versioned locks in memory (TL2), over any engine.
 */
@NullMarked
package io.pmstore.core.tx;

import org.jspecify.annotations.NullMarked;
