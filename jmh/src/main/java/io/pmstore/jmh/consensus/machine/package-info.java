/** State machines of Apache Ratis that keep a map. */
@NullMarked
package io.pmstore.jmh.consensus.machine;

import org.jspecify.annotations.NullMarked;
