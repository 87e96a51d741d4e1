package io.pmstore.proxy.bytecode;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a part of a constant: its class, and the values of its properties in the order of
 * the shape. Parts are compared by it.
 */
public record ConstantPart(Class<?> type, List<@Nullable Object> values) {}
