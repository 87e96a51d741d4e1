/**
 * The seam between objects and bytes: an engine is a byte space that is read as memory, that grows,
 * and to which one write set is committed atomically. Engines know nothing of objects.
 */
@NullMarked
package io.pmstore.core.engine;

import org.jspecify.annotations.NullMarked;
