/** Garbage collection of whole stores, through the API. */
package io.pmstore.gc.store;
