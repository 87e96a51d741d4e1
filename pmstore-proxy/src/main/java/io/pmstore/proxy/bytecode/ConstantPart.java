package io.pmstore.proxy.bytecode;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a part of a constant is compared by: its class, and the values of its properties in the
 * order of the shape.
 */
public record ConstantPart(Class<?> type, List<@Nullable Object> values) {}
