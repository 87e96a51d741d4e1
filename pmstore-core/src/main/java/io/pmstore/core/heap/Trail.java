package io.pmstore.core.heap;

import io.pmstore.StoreDamagedException;

/**
 * A way from object to object that must end. Finds out that it leads in a circle (Brent 1980): it
 * remembers an object, and another one each time that the way has become twice as long. For one
 * thread.
 */
public final class Trail {
  private long remembered;
  private long steps;

  /** Begins a way. */
  public Trail() {}

  /**
   * Takes the next object of the way.
   *
   * @param object its address; 0 for the end
   * @return the address
   * @throws StoreDamagedException if the way leads in a circle
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
   * Makes the exception for a path that leads back to an object on it.
   *
   * @param object the address of an object that is on the way twice
   * @return what to throw
   */
  public static StoreDamagedException circle(long object) {
    return new StoreDamagedException(
        "references lead from heap address "
            + object
            + " back to it, expected a way that ends; restore the store from a backup");
  }
}
