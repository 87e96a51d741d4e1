/**
 * Gives the builder of a native image the facts about persistent classes that it needs. Only the
 * builder runs this code.
 */
@NullMarked
package io.pmstore.proxy.image;

import org.jspecify.annotations.NullMarked;
