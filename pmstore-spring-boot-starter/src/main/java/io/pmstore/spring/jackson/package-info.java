/** Writes and reads persistent objects and collections as JSON, with Jackson 3. */
@NullMarked
package io.pmstore.spring.jackson;

import org.jspecify.annotations.NullMarked;
