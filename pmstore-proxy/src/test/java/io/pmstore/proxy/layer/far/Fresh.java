package io.pmstore.proxy.layer.far;

/** Has a method that frameworks call by reflection, as entities of JPA have. */
public class Fresh {
  private boolean isNew = true;

  void markNotNew() {
    isNew = false;
  }

  public boolean isNew() {
    return isNew;
  }
}
