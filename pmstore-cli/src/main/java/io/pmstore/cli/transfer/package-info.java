/** Stores as JSON: export and import. */
@NullMarked
package io.pmstore.cli.transfer;

import org.jspecify.annotations.NullMarked;
