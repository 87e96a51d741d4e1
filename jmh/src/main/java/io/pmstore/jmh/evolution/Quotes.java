package io.pmstore.jmh.evolution;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.List;

/** The root: all quotes. */
@Persistent(root = "quotes")
public class Quotes {
  private List<Object> all = new ArrayList<>();

  public List<Object> getAll() {
    return all;
  }
}
