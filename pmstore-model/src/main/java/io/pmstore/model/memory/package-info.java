/** The memories that can be probed: files on persistent memory and on disks. */
@NullMarked
package io.pmstore.model.memory;

import org.jspecify.annotations.NullMarked;
