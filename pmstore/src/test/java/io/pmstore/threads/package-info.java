/** Bodies of transactions that use other threads, and threads that outlive their store. */
package io.pmstore.threads;
