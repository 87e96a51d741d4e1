/** An animal clinic: its objects, what can be done with them, and the way to that by HTTP. */
package io.pmstore.examples.clinic;
