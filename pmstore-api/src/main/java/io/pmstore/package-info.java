/**
 * The API of pmstore: annotate a class, open a store, get a root; what the root reaches is durable.
 */
@NullMarked
package io.pmstore;

import org.jspecify.annotations.NullMarked;
