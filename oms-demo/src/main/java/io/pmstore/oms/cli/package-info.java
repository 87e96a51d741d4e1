/** The command line. */
@NullMarked
package io.pmstore.oms.cli;

import org.jspecify.annotations.NullMarked;
