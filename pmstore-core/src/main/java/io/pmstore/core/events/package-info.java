/**
 * What the engines tell JDK Flight Recorder. An event that is not recorded costs nothing that can
 * be measured; those of commits are made only where one has to wait.
 */
@NullMarked
package io.pmstore.core.events;

import org.jspecify.annotations.NullMarked;
