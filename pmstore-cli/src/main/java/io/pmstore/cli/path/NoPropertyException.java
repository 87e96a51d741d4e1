package io.pmstore.cli.path;

import io.pmstore.proxy.generic.GenericObject;

/** A path with a property that an object on its way does not have. */
public final class NoPropertyException extends PathException {
  private static final long serialVersionUID = 1L;

  private final transient GenericObject object;
  private final String property;

  NoPropertyException(String message, GenericObject object, String property) {
    super(message);
    this.object = object;
    this.property = property;
  }

  public GenericObject object() {
    return object;
  }

  /** Returns the name of the property. */
  public String property() {
    return property;
  }
}
