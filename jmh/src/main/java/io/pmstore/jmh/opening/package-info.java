/** What opening a store costs: after it was closed, and after its process was killed. */
@NullMarked
package io.pmstore.jmh.opening;

import org.jspecify.annotations.NullMarked;
