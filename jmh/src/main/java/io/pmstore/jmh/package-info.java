/**
 * The benchmark jar. Its packages are of three kinds:
 *
 * <ul>
 *   <li>the harness of {@code ./bench}: {@code bench} runs the steps that a {@code suite} names,
 *       {@code results} keeps the figures, {@code report} shows them,
 *   <li>the workloads, each a suite that runs on several stores: {@code oms}, {@code ycsb}, {@code
 *       tpcb}, {@code intset}; {@code workload} has what they share,
 *   <li>the JMH benchmarks of single operations: {@code access}, {@code allocation}, {@code
 *       commit}, {@code evolution}, {@code gc}, {@code opening}, {@code orders}, and {@code
 *       fragmentation}, which is a program of its own. {@code support} has what they share; {@code
 *       objects} runs some of them as a suite. {@code docs/benchmarks.md} describes what they
 *       measure.
 * </ul>
 */
@NullMarked
package io.pmstore.jmh;

import org.jspecify.annotations.NullMarked;
