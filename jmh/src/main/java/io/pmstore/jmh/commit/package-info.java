/** The cost of one durable transaction, from the bare barrier upwards. */
@NullMarked
package io.pmstore.jmh.commit;

import org.jspecify.annotations.NullMarked;
