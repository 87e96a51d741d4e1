/** Transactions that are larger than the log, and than the Java heap has room for. */
package io.pmstore.large;
