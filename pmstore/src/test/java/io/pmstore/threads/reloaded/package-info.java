/** An application that a server loads anew again and again. */
package io.pmstore.threads.reloaded;
