@NullMarked
package io.pmstore.proxy.facade;

import org.jspecify.annotations.NullMarked;
