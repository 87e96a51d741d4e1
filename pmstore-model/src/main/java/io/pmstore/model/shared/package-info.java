/**
 * What a recorded program and its recorder share. {@code RecordingLoader} does not load this
 * package anew, so both see the same classes.
 */
@NullMarked
package io.pmstore.model.shared;

import org.jspecify.annotations.NullMarked;
