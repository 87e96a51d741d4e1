/**
 * What makes bytes durable: an ordinary file (write and sync), persistent memory (cache-line
 * write-back and fence). Every change that the mapped engine makes to a file goes through here, so
 * that a test can stand in for the device.
 */
@NullMarked
package io.pmstore.core.medium;

import org.jspecify.annotations.NullMarked;
