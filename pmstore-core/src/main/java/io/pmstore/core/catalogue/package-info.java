/**
 * The type catalogue: the shapes of a store's objects, independent of any class. The collector and
 * verification find there where each object holds references.
 */
@NullMarked
package io.pmstore.core.catalogue;

import org.jspecify.annotations.NullMarked;
