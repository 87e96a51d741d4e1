/** What the suites measured: records, and the files that keep them. */
@NullMarked
package io.pmstore.jmh.results;

import org.jspecify.annotations.NullMarked;
