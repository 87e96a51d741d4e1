/** Transactions of a store by template and by annotation. */
@NullMarked
package io.pmstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
