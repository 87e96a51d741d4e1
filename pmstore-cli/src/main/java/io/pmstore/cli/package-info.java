/** The tool {@code pm}. */
@NullMarked
package io.pmstore.cli;

import org.jspecify.annotations.NullMarked;
