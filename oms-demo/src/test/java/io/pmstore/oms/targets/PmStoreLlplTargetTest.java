package io.pmstore.oms.targets;

/** pmstore on a PMDK pool. */
class PmStoreLlplTargetTest extends TargetContract {
  @Override
  TargetKind kind() {
    return TargetKind.PMSTORE_LLPL;
  }
}
