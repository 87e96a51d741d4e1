/**
 * TPC Benchmark B: the small transaction over several objects. Standard specification, revision 2.0
 * (1994), clauses 1 and 2; the number of branches does not grow with the throughput, and nothing is
 * priced.
 */
@NullMarked
package io.pmstore.jmh.tpcb;

import org.jspecify.annotations.NullMarked;
