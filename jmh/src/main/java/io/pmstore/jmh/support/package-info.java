/** What the benchmarks share: directories, the bean, LLPL, roll-backs. */
@NullMarked
package io.pmstore.jmh.support;

import org.jspecify.annotations.NullMarked;
