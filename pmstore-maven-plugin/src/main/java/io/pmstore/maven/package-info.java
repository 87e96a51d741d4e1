/** The Maven plugin, which checks the classes of a build against stores. */
@NullMarked
package io.pmstore.maven;

import org.jspecify.annotations.NullMarked;
