package io.pmstore.jmh.access;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.enhance.EnhanceAgent;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Objects of a class that may be enhanced, plain and in a store. */
@State(Scope.Benchmark)
public class EnhancedState {
  /** What becomes of the class. */
  public enum Form {
    /** It stays as it is: its persistent objects are of a generated subclass. */
    GENERATED,
    /** The agent enhances it. */
    ENHANCED
  }

  /** What becomes of the class. */
  @Param({"GENERATED", "ENHANCED"})
  public Form form;

  /** How many objects are accessed in turn; a power of two. */
  @Param({Access.ONE, Access.MANY})
  public int objects;

  /** The storage of the store. */
  @Param("PERSISTENT_MEMORY")
  public Storage storage;

  private TemporaryDirectory directory;
  PmStore store;
  EnhancedQuotes quotes;
  int mask;

  /** Attaches the agent, if it is needed, and opens the store. */
  @Setup
  public void open() throws IOException {
    if (form == Form.ENHANCED) {
      EnhanceAgent.install(ByteBuddyAgent.install());
    }
    directory = TemporaryDirectory.create(storage);
    store =
        PmStore.open(directory.path().resolve("store"), PmStoreOptions.defaults().storage(storage));
    quotes = new EnhancedQuotes(store, objects, form == Form.ENHANCED);
    mask = objects - 1;
  }

  /** Closes and deletes it. */
  @TearDown
  public void close() {
    store.close();
    directory.close();
  }
}
