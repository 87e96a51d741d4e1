/**
 * Examines classes: finds their properties and the effects of their methods, and refuses a class
 * that a store cannot keep.
 */
@NullMarked
package io.pmstore.proxy.bean;

import org.jspecify.annotations.NullMarked;
