package io.pmstore.proxy.value;

import io.pmstore.PmStoreException;

/** Makes the exception for a stored value that another JVM knew and this one does not. */
final class UnknownHere {
  private UnknownHere() {}

  /**
   * Returns the exception.
   *
   * @param kind of the value, for the message
   * @param text the value's name in the store
   * @param remedy how to make this JVM know it
   */
  static PmStoreException of(String kind, String text, String remedy, Exception cause) {
    return new PmStoreException(
        "the store holds the %s \"%s\", which this JVM does not know: %s. If no program has stored that, the value is damaged: restore the store from a backup"
            .formatted(kind, text, remedy),
        cause);
  }
}
