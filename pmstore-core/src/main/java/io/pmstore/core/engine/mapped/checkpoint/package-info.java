/**
 * Checkpoints: the heap's changes go from memory to the heap file, and log segments become free.
 * Owns the order of write-back, barriers and the header's update.
 */
@NullMarked
package io.pmstore.core.engine.mapped.checkpoint;

import org.jspecify.annotations.NullMarked;
