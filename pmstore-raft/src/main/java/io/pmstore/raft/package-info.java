/**
 * The engine <code>raft</code>: one store on several machines, by Apache Ratis. Programs use {@link
 * io.pmstore.raft.RaftSettings} to open a node, and {@link io.pmstore.Replication} to operate it.
 */
@NullMarked
package io.pmstore.raft;

import org.jspecify.annotations.NullMarked;
