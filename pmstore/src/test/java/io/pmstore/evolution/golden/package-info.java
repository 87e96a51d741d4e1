/** Stores that were written by programs of the past, and still open. */
package io.pmstore.evolution.golden;
