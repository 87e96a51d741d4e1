/** One program over every storage. */
package io.pmstore.storage;
