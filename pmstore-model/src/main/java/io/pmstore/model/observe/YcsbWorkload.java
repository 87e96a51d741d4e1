package io.pmstore.model.observe;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.workload.Worker;
import io.pmstore.jmh.ycsb.YcsbOperations;
import io.pmstore.model.shared.Operations;
import java.nio.file.Path;
import java.util.List;

/** A core workload of YCSB. */
public final class YcsbWorkload implements Operations {
  private final PmStore store;
  private final Worker worker;

  /**
   * Opens the store, and loads it.
   *
   * @param storage the name of a {@link Storage}
   * @param letter of the workload
   * @param size how many records are loaded
   */
  public YcsbWorkload(Path directory, String storage, String letter, Long size, Long seed)
      throws Exception {
    store = PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.valueOf(storage)));
    try {
      worker = YcsbOperations.load(store, letter, size, seed);
    } catch (Exception | Error e) {
      store.close();
      throw e;
    }
  }

  @Override
  public List<String> kinds() {
    return YcsbOperations.kinds();
  }

  @Override
  public int prepare() {
    return worker.prepare();
  }

  @Override
  public void perform() throws Exception {
    worker.perform();
  }

  @Override
  public void close() {
    store.close();
  }
}
