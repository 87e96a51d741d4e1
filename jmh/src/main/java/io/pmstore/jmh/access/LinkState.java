package io.pmstore.jmh.access;

import io.pmstore.PmStore;
import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Objects of a store that refer to others, for each of which the program has the Java object. */
@State(Scope.Benchmark)
public class LinkState extends StoreState {
  Link[] links;

  @Override
  @Setup
  public void open() throws IOException {
    super.open();
    links = new Link[objects];
    PmStore store = stored.store();
    store.transaction(
        () -> {
          for (int i = 0; i < objects; i++) {
            links[i] = store.create(Link.class);
            links[i].setQuote(quotes[i]);
          }
        });
  }
}
