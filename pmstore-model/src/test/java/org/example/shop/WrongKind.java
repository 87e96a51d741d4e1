package org.example.shop;

import io.pmstore.PmStore;
import io.pmstore.model.observe.ObservedWorkload;
import java.util.List;

/** Chooses a kind of operation that it has not named. */
public class WrongKind implements ObservedWorkload {
  @Override
  public List<String> kinds() {
    return List.of("add", "find");
  }

  @Override
  public void load(PmStore store, long size, long seed) {
    // Nothing is needed.
  }

  @Override
  public int prepare() {
    return 7;
  }

  @Override
  public void perform() {
    throw new IllegalStateException("nothing was chosen");
  }
}
