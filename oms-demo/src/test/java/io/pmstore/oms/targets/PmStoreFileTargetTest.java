package io.pmstore.oms.targets;

/** pmstore on an ordinary file system. */
class PmStoreFileTargetTest extends TargetContract {
  @Override
  TargetKind kind() {
    return TargetKind.PMSTORE;
  }
}
