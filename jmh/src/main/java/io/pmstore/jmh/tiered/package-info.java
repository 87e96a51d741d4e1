/**
 * The tiered storage beside its baseline, as ETERNAL was evaluated, and beside the mapped engine.
 */
@NullMarked
package io.pmstore.jmh.tiered;

import org.jspecify.annotations.NullMarked;
