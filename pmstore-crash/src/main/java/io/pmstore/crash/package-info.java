/**
 * What a power cut can leave of files: a {@link io.pmstore.crash.Disk} knows which of its contents
 * are durable, {@link io.pmstore.crash.CrashImages} what else could be left, {@link
 * io.pmstore.crash.ImageChoices} which of that to try. TESTING.md has the fault model.
 *
 * <p>For pmstore's own tests and for pmstore-junit. It may change in any version.
 */
@NullMarked
package io.pmstore.crash;

import org.jspecify.annotations.NullMarked;
