/**
 * The redo log: records that hold the ranges of a commit, segments that hold records, and the scan
 * that finds them again.
 */
@NullMarked
package io.pmstore.core.log;

import org.jspecify.annotations.NullMarked;
