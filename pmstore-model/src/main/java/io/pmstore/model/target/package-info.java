/** The memories that can be probed: files on persistent memory and on disks. */
@NullMarked
package io.pmstore.model.target;

import org.jspecify.annotations.NullMarked;
