/**
 * Examines classes: finds their properties and what their methods do, and refuses a class that
 * could not work.
 */
@NullMarked
package io.pmstore.proxy.bean;

import org.jspecify.annotations.NullMarked;
