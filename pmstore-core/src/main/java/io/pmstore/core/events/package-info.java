/**
 * The engines' events for JDK Flight Recorder. An event that is not recorded costs nothing
 * measurable. Commits emit events only when they have to wait.
 */
@NullMarked
package io.pmstore.core.events;

import org.jspecify.annotations.NullMarked;
