/** Verification of stores of Java objects. */
package io.pmstore.verification;
