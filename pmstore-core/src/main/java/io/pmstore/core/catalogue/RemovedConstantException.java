package io.pmstore.core.catalogue;

import io.pmstore.ClassRefusedException;

/** Thrown if the store has a constant that was removed from its enum. */
public final class RemovedConstantException extends ClassRefusedException {
  private static final long serialVersionUID = 1;

  private final String constant;

  /** Creates the exception for a constant of the store. */
  public RemovedConstantException(EnumType type, String constant) {
    super(
        "found constant %s of enum %s, which the enum no longer has: give the constant back, or, with a program that has it, give the objects another value before it is removed; or give the property another name, and a migration function that makes its value"
            .formatted(constant, type.className()));
    this.constant = constant;
  }

  private RemovedConstantException(String place, RemovedConstantException found, String advice) {
    super(place + ": " + found.getMessage() + ". " + advice, found);
    this.constant = found.constant;
  }

  /** Returns the name of the constant in the store. */
  public String constant() {
    return constant;
  }

  /**
   * Returns the exception with the place of the constant in front of its message, unless that has a
   * place already.
   *
   * @param advice how to find the objects that have the constant
   */
  public RemovedConstantException at(String place, String advice) {
    return getCause() == null ? new RemovedConstantException(place, this, advice) : this;
  }
}
