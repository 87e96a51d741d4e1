package io.pmstore.proxy.generic;

/**
 * What stands for an object that cannot be shown, where others can be.
 *
 * @param address the address that the reference to it holds
 * @param message what is wrong, and what to do
 */
public record GenericDamage(long address, String message) {}
