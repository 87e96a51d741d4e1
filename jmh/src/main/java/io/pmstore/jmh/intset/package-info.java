/** What it costs a set to be kept: the study of Bastelli et al., with pmstore. */
@NullMarked
package io.pmstore.jmh.intset;

import org.jspecify.annotations.NullMarked;
