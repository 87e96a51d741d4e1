/**
 * Transactions of a store in a Spring application: by template, {@link
 * io.pmstore.spring.transaction.PmStoreTemplate}, and by annotation, {@link
 * io.pmstore.spring.transaction.StoreTransaction}.
 */
@NullMarked
package io.pmstore.spring.transaction;

import org.jspecify.annotations.NullMarked;
