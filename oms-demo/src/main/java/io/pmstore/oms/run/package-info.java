/** The timed run over one target, and the comparison of what it stored with the flow. */
@NullMarked
package io.pmstore.oms.run;

import org.jspecify.annotations.NullMarked;
