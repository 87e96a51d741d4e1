/** Order flow: reading it from FIX 4.4 messages, and generating it. */
@NullMarked
package io.pmstore.oms.flow;

import org.jspecify.annotations.NullMarked;
