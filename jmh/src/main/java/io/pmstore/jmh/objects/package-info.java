/** What objects cost: the JMH benchmarks as the suite {@code objects}. */
@NullMarked
package io.pmstore.jmh.objects;

import org.jspecify.annotations.NullMarked;
