/**
 * The media that make bytes durable: ordinary files (write and sync) and persistent memory
 * (cache-line write-back and fence). Every change of the mapped engine to a file goes through a
 * medium, so that a test can replace the device.
 */
@NullMarked
package io.pmstore.core.medium;

import org.jspecify.annotations.NullMarked;
