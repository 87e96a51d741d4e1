package io.pmstore.proxy.layer.far;

/** Makes the compiler add bridge methods to its public subclass, so that all can call them. */
class Middle extends Base {
  private int level = 1;

  public int level() {
    return level;
  }

  public int raiseLevel() {
    return ++level;
  }
}
