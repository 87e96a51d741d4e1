/** What users do with objects: find one by its key, put one into a map, follow references. */
@NullMarked
package io.pmstore.jmh.orders;

import org.jspecify.annotations.NullMarked;
