/**
 * Transactions over any engine: optimistic and serializable, with versioned locks in memory, after
 * TL2 (Dice, Shalev, Shavit 2006).
 */
@NullMarked
package io.pmstore.core.tx;

import org.jspecify.annotations.NullMarked;
