package io.pmstore.oms.targets;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A store whose files are all in one directory.
 *
 * @param opener opens it, and creates it at the first time
 */
record DirectoryTarget(TargetKind kind, Path directory, Supplier<OmsService> opener)
    implements OmsTarget {
  @Override
  public OmsService open() {
    return opener.get();
  }

  @Override
  public DiskUse diskUse() {
    return kind.diskUse(directory);
  }
}
