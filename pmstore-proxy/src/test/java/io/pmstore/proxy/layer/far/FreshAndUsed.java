package io.pmstore.proxy.layer.far;

/** Calls its package-private method itself. */
public class FreshAndUsed {
  private boolean isNew = true;

  void markNotNew() {
    isNew = false;
  }

  public boolean isNew() {
    return isNew;
  }

  public void saved() {
    markNotNew();
  }
}
