package io.pmstore.core.heap;

import io.pmstore.StoreDamagedException;

/**
 * Detects a cycle in a path from object to object (Brent 1980): it remembers one object of the
 * path, and replaces it each time that the path has become twice as long. Not safe for use by
 * several threads.
 */
public final class Trail {
  private long remembered;
  private long steps;

  /**
   * Adds the next object of the path.
   *
   * @param object its address; 0 for the end
   * @throws StoreDamagedException if the path is a cycle
   */
  public long step(long object) {
    if (object == remembered && object != 0) {
      throw circle(object);
    }
    if ((++steps & (steps - 1)) == 0) {
      remembered = object;
    }
    return object;
  }

  /**
   * Returns the exception for a path that leads back to an object on it.
   *
   * @param object the address of an object that is on the path twice
   */
  public static StoreDamagedException circle(long object) {
    return new StoreDamagedException(
        "a chain of references returns to heap address "
            + object
            + ", expected a chain that ends; restore the store from a backup");
  }
}
