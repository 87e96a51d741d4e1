package io.pmstore.model.observe;

import io.pmstore.PmStore;
import java.util.List;

/**
 * A workload of yours, for {@code ./model observe --workload CLASS --class-path PATH}. The class is
 * public and has a public constructor without arguments. Two objects of it are made, each with a
 * store of its own. One thread calls its methods: first {@link #load}, then {@link #prepare} and
 * {@link #perform} in turns.
 */
public interface ObservedWorkload {
  /**
   * Returns the names of the kinds of operations, for the report. Each kind is counted apart.
   *
   * @return at least one name; the same ones each time
   */
  List<String> kinds();

  /**
   * Fills an empty store. What that costs is not counted, nor are the first {@code size} operations
   * after it.
   *
   * @param store stays open until the workload has ended, which does not close it
   * @param size how many records, or whatever the workload is of ({@code --size})
   * @param seed for random choices ({@code --seed})
   */
  void load(PmStore store, long size, long seed) throws Exception;

  /**
   * Chooses the next operation. What that costs is not counted.
   *
   * @return the index of its kind, or -1 if the workload has ended
   */
  int prepare() throws Exception;

  /** Does what was chosen; all of its transactions end before it returns. */
  void perform() throws Exception;
}
