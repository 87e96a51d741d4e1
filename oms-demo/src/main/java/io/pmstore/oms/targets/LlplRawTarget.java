package io.pmstore.oms.targets;

import java.nio.file.Path;

/** LLPL by hand, in a pool of PMDK: no pmstore. */
public final class LlplRawTarget implements OmsTarget {
  /** The name of the pool's file. */
  public static final String FILE_NAME = "oms.pool";

  private final TargetSettings settings;

  /**
   * Creates the target.
   *
   * @param settings how it will be opened
   */
  public LlplRawTarget(TargetSettings settings) {
    this.settings = settings;
  }

  @Override
  public OmsService open() {
    String missing = NativeLibraries.missingForLlpl();
    if (missing != null) {
      throw new IllegalStateException("LLPL cannot be used: " + missing);
    }
    Path file = settings.directory().resolve(FILE_NAME);
    return new LlplRawService(LlplRawPool.open(file, settings.llplPoolBytes()));
  }

  @Override
  public DiskUse diskUse() {
    return TargetKind.LLPL_RAW.diskUse(settings.directory());
  }
}
