/** What the order management system keeps: orders with their execution reports. */
@NullMarked
package io.pmstore.oms.domain;

import org.jspecify.annotations.NullMarked;
