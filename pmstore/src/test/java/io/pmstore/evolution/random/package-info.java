/** Random programs that change at random while their objects stay in a store. */
package io.pmstore.evolution.random;
