package io.pmstore.proxy.generic;

/**
 * A {@link Class} as a value. Immutable.
 *
 * @param name as the store has it
 */
public record GenericClass(String name) {}
