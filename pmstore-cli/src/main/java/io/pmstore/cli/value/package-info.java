/** Values as texts. */
@NullMarked
package io.pmstore.cli.value;

import org.jspecify.annotations.NullMarked;
