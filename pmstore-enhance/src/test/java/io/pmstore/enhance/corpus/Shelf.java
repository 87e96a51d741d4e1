package io.pmstore.enhance.corpus;

import io.pmstore.Persistent;
import org.jspecify.annotations.Nullable;

/** The root of a trial's store. */
@Persistent(root = "shelf")
public class Shelf {
  private @Nullable Object object;

  /** Creates an empty one. */
  public Shelf() {}

  @Nullable Object get() {
    return object;
  }

  void put(Object newObject) {
    object = newObject;
  }
}
