/** An order management system on pmstore, SQLite and PostgreSQL: the demo and the comparison. */
@NullMarked
package io.pmstore.oms;

import org.jspecify.annotations.NullMarked;
