package io.pmstore.proxy.generic;

import io.pmstore.core.catalogue.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An array of references. Immutable.
 *
 * @param shape its shape, whose class name is that of the array's class
 * @param elements its elements
 */
public record GenericArray(Shape shape, List<@Nullable Object> elements) {
  /** Copies the list. */
  public GenericArray {
    elements = Collections.unmodifiableList(new ArrayList<>(elements));
  }
}
