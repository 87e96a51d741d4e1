/** Users of a store whose bytes are damaged. */
package io.pmstore.gc.damage;
