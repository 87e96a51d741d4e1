/** Random classes, graphs and operations: a persistent object does what its plain twin does. */
@NullMarked
package io.pmstore.shapes;

import org.jspecify.annotations.NullMarked;
