/** What the suites that run operations on stores share: stores of each kind, and a timed runner. */
@NullMarked
package io.pmstore.jmh.workload;

import org.jspecify.annotations.NullMarked;
