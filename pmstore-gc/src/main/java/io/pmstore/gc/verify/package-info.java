/** Verification: walks a store and accounts for its bytes. */
@NullMarked
package io.pmstore.gc.verify;

import org.jspecify.annotations.NullMarked;
