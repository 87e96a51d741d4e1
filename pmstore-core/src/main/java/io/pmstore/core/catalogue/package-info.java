/**
 * The type catalogue: what the store knows of the shapes of its objects, without any class. Whoever
 * traces or verifies a heap finds in it where each object holds references.
 */
@NullMarked
package io.pmstore.core.catalogue;

import org.jspecify.annotations.NullMarked;
