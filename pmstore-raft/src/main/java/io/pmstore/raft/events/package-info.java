/**
 * The events of nodes for JDK Flight Recorder. No code uses an event class before a recording was
 * started.
 */
@NullMarked
package io.pmstore.raft.events;

import org.jspecify.annotations.NullMarked;
