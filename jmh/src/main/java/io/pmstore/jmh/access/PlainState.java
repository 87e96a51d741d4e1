package io.pmstore.jmh.access;

import io.pmstore.jmh.support.Quote;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Ordinary Java objects. */
@State(Scope.Benchmark)
public class PlainState {
  /** How many objects are accessed in turn; a power of two. */
  @Param({Access.ONE, Access.MANY})
  public int objects;

  Quote[] quotes;
  int mask;

  /** Makes the objects. */
  @Setup
  public void create() {
    quotes = new Quote[objects];
    mask = objects - 1;
    for (int i = 0; i < objects; i++) {
      quotes[i] = new Quote();
    }
  }
}
