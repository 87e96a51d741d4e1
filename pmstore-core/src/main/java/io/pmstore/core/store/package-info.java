/** The store behind the API: opens an engine, and opens the heap and the object layer on it. */
@NullMarked
package io.pmstore.core.store;

import org.jspecify.annotations.NullMarked;
