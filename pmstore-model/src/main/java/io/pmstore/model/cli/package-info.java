/** The command line. */
@NullMarked
package io.pmstore.model.cli;

import org.jspecify.annotations.NullMarked;
