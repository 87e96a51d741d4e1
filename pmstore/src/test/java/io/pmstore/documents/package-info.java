/**
 * The code that the project's documents show, compiled and run, and the test that they show just
 * that.
 */
package io.pmstore.documents;
