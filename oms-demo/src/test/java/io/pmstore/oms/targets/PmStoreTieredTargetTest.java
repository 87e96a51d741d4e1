package io.pmstore.oms.targets;

/** pmstore with its heap in main memory. */
class PmStoreTieredTargetTest extends TargetContract {
  @Override
  TargetKind kind() {
    return TargetKind.PMSTORE_TIERED;
  }
}
