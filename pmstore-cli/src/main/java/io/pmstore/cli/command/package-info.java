@NullMarked
package io.pmstore.cli.command;

import org.jspecify.annotations.NullMarked;
