/** Groups of three servers that keep a replicated map, in this process or in others. */
@NullMarked
package io.pmstore.jmh.consensus.cluster;

import org.jspecify.annotations.NullMarked;
