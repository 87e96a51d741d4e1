package io.pmstore.oms.targets;

/** A kind of target: how it is called, and how one is made. */
public interface TargetFactory {
  /**
   * Its name in the results.
   *
   * @return the name
   */
  String label();

  /**
   * Makes the target; nothing is opened or started yet.
   *
   * @param settings how it will be opened
   * @return the target
   */
  OmsTarget create(TargetSettings settings);
}
