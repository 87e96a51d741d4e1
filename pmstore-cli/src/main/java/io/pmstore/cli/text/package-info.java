/** Aligned text, amounts and progress. */
@NullMarked
package io.pmstore.cli.text;

import org.jspecify.annotations.NullMarked;
