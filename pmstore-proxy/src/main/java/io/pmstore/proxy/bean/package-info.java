/**
 * What makes a class persistent: finding its properties, and refusing a class that could not work.
 */
@NullMarked
package io.pmstore.proxy.bean;

import org.jspecify.annotations.NullMarked;
