/**
 * The redo log: records with the ranges of commits, segments with the records, and the scan that
 * reads them at recovery.
 */
@NullMarked
package io.pmstore.core.log;

import org.jspecify.annotations.NullMarked;
