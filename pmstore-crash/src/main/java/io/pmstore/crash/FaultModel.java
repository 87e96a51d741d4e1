package io.pmstore.crash;

/** What a power cut can do to the contents of a file. */
public enum FaultModel {
  /**
   * An ordinary file: each sector of 512 bytes is as it was after any one of the writes since the
   * last completed sync of the file, or as that sync found it; sectors independently.
   */
  FILE(512, 512),

  /**
   * Persistent memory, mapped: of each cache line of 64 bytes, any prefix of its stores of words
   * since the last that was flushed and then fenced by the same thread; lines independently.
   */
  PERSISTENT_MEMORY(64, 8);

  private final int unit;
  private final int grain;

  FaultModel(int unit, int grain) {
    this.unit = unit;
    this.grain = grain;
  }

  /** The bytes that survive or do not, together. */
  public int unit() {
    return unit;
  }

  /** The bytes of a write that reach a unit in one step. */
  public int grain() {
    return grain;
  }
}
