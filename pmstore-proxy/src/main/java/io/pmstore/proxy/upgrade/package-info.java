/** Reads and upgrades objects whose class has changed since they were stored. */
@NullMarked
package io.pmstore.proxy.upgrade;

import org.jspecify.annotations.NullMarked;
