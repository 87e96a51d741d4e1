package io.pmstore.model.shared;

import java.util.List;

/** The operations of a workload on a store, one after the other. Used by one thread. */
public interface Operations extends AutoCloseable {
  /** Returns the names of the kinds of operations. */
  List<String> kinds();

  /** Chooses the next operation. Returns the index of its kind, or -1 if there is none. */
  int prepare() throws Exception;

  /** Does what was chosen. */
  void perform() throws Exception;

  @Override
  void close();
}
