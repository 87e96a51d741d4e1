/** What is known about a memory: figures with units, intervals and sources, in a JSON file. */
@NullMarked
package io.pmstore.model.profile;

import org.jspecify.annotations.NullMarked;
