package io.pmstore.jmh.opening;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** The root: a chain of all items. */
@Persistent(root = "items")
public interface Items {
  @Nullable Item getNewest();

  void setNewest(@Nullable Item newest);
}
