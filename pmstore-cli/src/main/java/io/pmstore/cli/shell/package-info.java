/** The prompt. */
@NullMarked
package io.pmstore.cli.shell;

import org.jspecify.annotations.NullMarked;
