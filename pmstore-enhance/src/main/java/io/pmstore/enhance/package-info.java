/**
 * Changes the classes of programs so that their own objects are persistent: a plugin of Byte Buddy
 * for builds, and an agent for load time.
 */
@NullMarked
package io.pmstore.enhance;

import org.jspecify.annotations.NullMarked;
