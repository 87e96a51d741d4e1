/** How YCSB's workloads choose keys, from the published definitions. */
@NullMarked
package io.pmstore.jmh.ycsb.generators;

import org.jspecify.annotations.NullMarked;
