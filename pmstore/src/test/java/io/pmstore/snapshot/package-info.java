/** Snapshots and backups of stores of every storage. */
package io.pmstore.snapshot;
