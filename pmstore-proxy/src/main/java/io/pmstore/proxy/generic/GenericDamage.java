package io.pmstore.proxy.generic;

/**
 * The placeholder for an object that cannot be shown because it is damaged.
 *
 * @param address the address that the reference to it holds
 * @param message what is wrong, and what to do
 */
public record GenericDamage(long address, String message) {}
