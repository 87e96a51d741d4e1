/** Versions of a map's entries on a persistent region: a list and a B+ tree, as in the thesis. */
@NullMarked
package io.pmstore.jmh.consensus.versions;

import org.jspecify.annotations.NullMarked;
