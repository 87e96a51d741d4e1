/** Walks through the objects of a store: what keeps one alive, what there is of each class. */
@NullMarked
package io.pmstore.cli.graph;

import org.jspecify.annotations.NullMarked;
