/** Tests of what makes a class persistent, and of every way to be refused. */
@NullMarked
package io.pmstore.proxy.bean;

import org.jspecify.annotations.NullMarked;
