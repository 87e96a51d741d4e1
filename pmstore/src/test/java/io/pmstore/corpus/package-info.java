/** Domain classes of other projects, kept in a store as they are. */
package io.pmstore.corpus;
