/** JSON for programs. */
@NullMarked
package io.pmstore.cli.json;

import org.jspecify.annotations.NullMarked;
