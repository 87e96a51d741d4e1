/** The Maven plugin: what a build can ask of stores. */
@NullMarked
package io.pmstore.maven;

import org.jspecify.annotations.NullMarked;
