/**
 * Replicated maps on Apache Ratis: the storages of the thesis <i>Consensus on non-volatile RAM</i>,
 * the replicated store of pmstore, and a state machine that does nothing.
 */
@NullMarked
package io.pmstore.jmh.consensus;

import org.jspecify.annotations.NullMarked;
