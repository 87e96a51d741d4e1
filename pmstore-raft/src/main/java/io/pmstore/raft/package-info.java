/**
 * The engine {@code raft}: replicates one store on several machines with the Raft algorithm
 * (Ongaro, Ousterhout 2014), in the implementation of Apache Ratis. Programs open a node with
 * {@link io.pmstore.raft.RaftSettings} and operate it with {@link io.pmstore.Replication}.
 */
@NullMarked
package io.pmstore.raft;

import org.jspecify.annotations.NullMarked;
