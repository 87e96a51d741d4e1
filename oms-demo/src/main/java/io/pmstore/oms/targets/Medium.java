package io.pmstore.oms.targets;

/** How a target treats its directory. */
public enum Medium {
  /** An ordinary file system. */
  FILE("file"),
  /** Persistent memory, or a tmpfs that emulates it. */
  PMEM("pmem");

  private final String label;

  Medium(String label) {
    this.label = label;
  }

  /** Its name on the command line. */
  public String label() {
    return label;
  }
}
