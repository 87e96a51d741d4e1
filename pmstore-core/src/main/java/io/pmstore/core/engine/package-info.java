/**
 * The interface between objects and bytes. An engine is a byte space that is read as memory, grows,
 * and commits a write set atomically. Engines know nothing of objects.
 */
@NullMarked
package io.pmstore.core.engine;

import org.jspecify.annotations.NullMarked;
