package io.pmstore.oms.targets;

/** pmstore on a directory treated as persistent memory. */
class PmStorePmemTargetTest extends TargetContract {
  @Override
  TargetKind kind() {
    return TargetKind.PMSTORE;
  }

  @Override
  Medium medium() {
    return Medium.PMEM;
  }
}
