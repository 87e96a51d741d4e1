/** Tests of enhanced classes. */
package io.pmstore.enhance;
