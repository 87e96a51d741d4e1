/**
 * The API of pmstore. A program annotates its classes with {@link io.pmstore.Persistent}, opens a
 * store with {@link io.pmstore.PmStore#open(java.nio.file.Path)} and gets a root object; the store
 * keeps what the root reaches. Needs Java 25 or newer.
 *
 * <p>No parameter and no result is null unless it is marked {@code @Nullable}.
 */
@NullMarked
package io.pmstore;

import org.jspecify.annotations.NullMarked;
