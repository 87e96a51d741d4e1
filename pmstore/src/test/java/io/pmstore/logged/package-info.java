/** What a store logs, for tests. */
package io.pmstore.logged;
