/** Opens stores for the commands. */
@NullMarked
package io.pmstore.cli.store;

import org.jspecify.annotations.NullMarked;
