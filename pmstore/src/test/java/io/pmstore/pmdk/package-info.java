/** What PMDK and LLPL do to programs that use them, and cannot do to one that uses pmstore. */
package io.pmstore.pmdk;
