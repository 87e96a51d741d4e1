/** What it costs that a class has changed since its objects were stored. */
@NullMarked
package io.pmstore.jmh.evolution;

import org.jspecify.annotations.NullMarked;
