package io.pmstore.core.engine.mapped;

import java.io.IOException;

/** The way in which changed units of the heap come into its file, in small steps. */
interface WriteBack {
  /** What happens around a step. */
  interface Steps {
    /**
     * Called when the step has taken the contents that it will write, and before it writes any:
     * returns when the log records of all changes in them are durable.
     */
    void awaitRecords() throws IOException;

    /** Called when a step is done. */
    void done();
  }

  /** No commits run beside the steps, and all log records are durable. */
  Steps ALONE =
      new Steps() {
        @Override
        public void awaitRecords() {}

        @Override
        public void done() {}
      };

  /**
   * Writes changed units. They are durable after the next sync of the heap file by this thread.
   *
   * @param dirty which units; commits may go on changing them, but what makes them part of the set
   *     is applied
   * @return the pages that they are in
   */
  long write(DirtyRanges dirty, Steps steps) throws IOException;

  /** The way that suits a store's medium. */
  static WriteBack of(StoreFiles files) {
    return files.medium().storesInPlace() ? new LineWriteBack(files) : new PageWriteBack(files);
  }
}
