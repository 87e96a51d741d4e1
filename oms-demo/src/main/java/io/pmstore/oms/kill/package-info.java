/** Killing the service at a random moment and auditing what it left behind. */
@NullMarked
package io.pmstore.oms.kill;

import org.jspecify.annotations.NullMarked;
