/**
 * The crash simulator: a medium in memory that knows what a power cut could leave, and a scheduler
 * that replays interleavings from a seed. TESTING.md explains both.
 */
package io.pmstore.core.crash;
