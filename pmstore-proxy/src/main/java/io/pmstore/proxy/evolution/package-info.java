/**
 * How objects of a class that has changed are seen: what a change of a class means for those that
 * the store has, and where each property of today's class has its value in an older object.
 */
@NullMarked
package io.pmstore.proxy.evolution;

import org.jspecify.annotations.NullMarked;
