package io.pmstore.jmh.opening;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The first store of a process, up to one of the steps that programs begin with. */
@State(Scope.Benchmark)
public class FirstUseState {
  /** A step; those before it belong to it. */
  public enum Step {
    /** Opens a store that is not there. */
    OPEN,
    /** Makes its first root, of an interface. */
    ROOT,
    /** Makes the first object of another interface. */
    SECOND_CLASS
  }

  /** What is measured. */
  @Param({"OPEN", "ROOT", "SECOND_CLASS"})
  public Step step;

  /** What the store is on. */
  @Param("FILE")
  public Storage storage;

  private TemporaryDirectory directory;
  private @Nullable PmStore opened;

  @Setup(Level.Iteration)
  public void takeStepsBefore() throws IOException {
    directory = TemporaryDirectory.create(storage);
    for (Step before : Step.values()) {
      if (before == step) {
        return;
      }
      take(before);
    }
  }

  final Object takeStep() {
    return take(step);
  }

  private Object take(Step taken) {
    if (taken == Step.OPEN) {
      PmStore made =
          PmStore.open(
              directory.path().resolve("store"), PmStoreOptions.defaults().storage(storage));
      opened = made;
      return made;
    }
    PmStore store = Objects.requireNonNull(opened);
    return taken == Step.ROOT ? store.root(Items.class) : store.create(Item.class);
  }

  /** Closes the store and deletes it. */
  @TearDown(Level.Iteration)
  public void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
    directory.close();
  }
}
