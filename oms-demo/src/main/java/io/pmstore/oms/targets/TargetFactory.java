package io.pmstore.oms.targets;

/** A kind of target: how it is called, and how one is made. */
public interface TargetFactory {
  /** Its name in the results. */
  String label();

  /**
   * Makes the target; nothing is opened or started yet.
   *
   * @param settings how it will be opened
   */
  OmsTarget create(TargetSettings settings);
}
