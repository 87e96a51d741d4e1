package io.pmstore.oms.targets;

/** A store that the order management service can run on, in a directory or a server of its own. */
public interface OmsTarget extends AutoCloseable {
  /** Opens the store, and creates it at the first time. One service at a time can be open. */
  OmsService open();

  /** Measures what the store takes on the disk, while no service is open. */
  DiskUse diskUse();

  /**
   * Ends what the target has outside its directory: a schema in somebody's server; for most,
   * nothing. The directory stays.
   */
  @Override
  default void close() {}
}
