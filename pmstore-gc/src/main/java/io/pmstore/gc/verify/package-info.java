/** Verification of a store by walking it, and the account of its bytes. */
@NullMarked
package io.pmstore.gc.verify;

import org.jspecify.annotations.NullMarked;
