/**
 * The baseline of the tiered engine: NVWAL, as ETERNAL (Gomes, Brayner, Machado) was compared with.
 * The heap is in DRAM; a commit appends its changes to a redo log on persistent memory or an
 * ordinary file. When the log is full, the commit that needs room writes all of it to a file, and
 * the others wait.
 *
 * <pre>
 *   store's directory     lock, nvwal: the header
 *   log.directory         nvwal-log: the records since the last spill
 *   archive.directory     nvwal-1, nvwal-2, ...: the logs that were full, in their order
 * </pre>
 *
 * <p>It uses the same memory, media, barriers and checksums as the tiered engine, so that a
 * comparison shows the difference of the two ideas.
 */
@NullMarked
package io.pmstore.jmh.nvwal;

import org.jspecify.annotations.NullMarked;
