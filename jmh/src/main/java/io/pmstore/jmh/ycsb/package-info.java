/**
 * The Yahoo! Cloud Serving Benchmark: Cooper, Silberstein, Tam, Ramakrishnan and Sears,
 * <i>Benchmarking cloud serving systems with YCSB</i>, SoCC 2010.
 *
 * <p>A record has ten fields of 100 characters. Its key is a number: the hash that YCSB would write
 * behind {@code user} as text, so records that are inserted one after the other lie far from each
 * other in the order of keys. A number is what an identifier is in any of the stores that are
 * compared; none is spared the work of a scattered key.
 */
@NullMarked
package io.pmstore.jmh.ycsb;

import org.jspecify.annotations.NullMarked;
