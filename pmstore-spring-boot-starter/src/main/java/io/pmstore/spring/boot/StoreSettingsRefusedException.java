package io.pmstore.spring.boot;

/** Thrown if the properties of a store do not fit together, or not to its engine. */
final class StoreSettingsRefusedException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  StoreSettingsRefusedException(IllegalArgumentException why) {
    super(why.getMessage(), why);
  }
}
