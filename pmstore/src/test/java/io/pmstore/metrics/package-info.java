/** What a store counts of itself. */
package io.pmstore.metrics;
