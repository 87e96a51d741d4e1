/** Tests of the code that is generated. */
@NullMarked
package io.pmstore.proxy.bytecode;

import org.jspecify.annotations.NullMarked;
