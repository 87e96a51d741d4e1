/** What the use of objects leaves to the garbage collector. */
package io.pmstore.garbage;
