/**
 * Enhances the classes of programs, so that objects of these classes themselves become persistent.
 * {@link io.pmstore.enhance.EnhancePlugin} does so in a build, {@link
 * io.pmstore.enhance.EnhanceAgent} when the JVM loads the classes.
 */
@NullMarked
package io.pmstore.enhance;

import org.jspecify.annotations.NullMarked;
