package io.pmstore.oms.targets;

/** What the directory of a target is taken to be. */
public enum Medium {
  /** An ordinary file system. */
  FILE("file"),
  /** Persistent memory, or a tmpfs that emulates it. */
  PMEM("pmem");

  private final String label;

  Medium(String label) {
    this.label = label;
  }

  /**
   * Its name on the command line.
   *
   * @return the name
   */
  public String label() {
    return label;
  }
}
