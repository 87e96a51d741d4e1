/** Histories of concurrent transactions, and the check that they are strictly serializable. */
package io.pmstore.core.tx.history;
