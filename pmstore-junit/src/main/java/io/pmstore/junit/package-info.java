/**
 * Stores for tests with JUnit 5. {@link io.pmstore.junit.TempStore} gives a test a store; {@link
 * io.pmstore.junit.TestStore} reopens, kills and crashes it; {@link io.pmstore.junit.GoldenStore}
 * compares the program's classes with a store of an earlier version.
 */
@NullMarked
package io.pmstore.junit;

import org.jspecify.annotations.NullMarked;
