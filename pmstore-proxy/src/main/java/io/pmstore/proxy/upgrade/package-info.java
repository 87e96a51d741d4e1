/** Objects whose class has changed since they were stored: how they are read, and upgraded. */
@NullMarked
package io.pmstore.proxy.upgrade;

import org.jspecify.annotations.NullMarked;
