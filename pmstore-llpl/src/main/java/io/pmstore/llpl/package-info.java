/** The engine over a pool of Intel's PMDK, through LLPL: a commit is one PMDK transaction. */
@NullMarked
package io.pmstore.llpl;

import org.jspecify.annotations.NullMarked;
