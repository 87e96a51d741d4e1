package io.pmstore.core.engine.mapped.checkpoint;

import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import java.io.IOException;

/** Takes dirty units of the heap to its file, in small steps. */
interface WriteBack {
  /** Called around a step. */
  interface Steps {
    /**
     * Called when a step has copied the contents that it will write, before it writes any. Returns
     * when the log records of all changes in them are durable.
     */
    void awaitRecords() throws IOException;

    /** Called after each step. */
    void done();
  }

  /** For use without concurrent commits, with all log records durable. */
  Steps ALONE =
      new Steps() {
        @Override
        public void awaitRecords() {}

        @Override
        public void done() {}
      };

  /**
   * Writes dirty units. They are durable after the next sync of the heap file by this thread.
   *
   * @param dirty the units. Commits may go on changing them, but those that made them part of the
   *     set are applied
   * @return the number of pages that contain them
   */
  long write(DirtySet dirty, Steps steps) throws IOException;

  /** Returns the write-back for a store's medium. */
  static WriteBack of(StoreFiles files) {
    return files.medium().storesInPlace() ? new LineWriteBack(files) : new PageWriteBack(files);
  }
}
