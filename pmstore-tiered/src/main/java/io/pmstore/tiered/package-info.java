/**
 * The engine of {@link io.pmstore.Storage#TIERED}, after ETERNAL (Gomes, Brayner, Machado): a heap
 * in DRAM, made durable by two pools of images and by files behind them.
 *
 * <p>A commit writes the last image of each {@linkplain io.pmstore.tiered.ImageLayout block} that
 * it changes to the <em>primary</em> pool. When that pool is full, the two pools change roles. A
 * background thread then writes the newest contents of the blocks in the <em>secondary</em> pool to
 * a sequential <em>spill</em> file, and empties the pool once the file is durable. When the spills
 * have become large, the thread writes a <em>base</em> in their place: every block of the heap that
 * is in no pool.
 *
 * <p>The granule is a block of the address space, not an object. An engine sees ranges of words and
 * knows nothing of objects; a block has a fixed size, so a slot of a pool serves any block and the
 * index from block to slot is an array. A block has 64 bytes, a cache line: a transaction changes a
 * few words here and there, of which two are seldom in one block of 256 bytes either, so larger
 * blocks make commits copy and flush more, and spills write more.
 *
 * <p>The commit, the recovery and the background work are in {@code CommitPath}, {@code Recovery}
 * and {@code Spiller}; each states why it is safe.
 */
@NullMarked
package io.pmstore.tiered;

import org.jspecify.annotations.NullMarked;
