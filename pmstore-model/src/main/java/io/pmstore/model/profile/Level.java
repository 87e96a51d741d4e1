package io.pmstore.model.profile;

/**
 * A step of the latency: what lies in less than its capacity is read in its time.
 *
 * @param name {@code L2 cache}, {@code TLB of 2048 pages}, {@code memory}
 * @param bytes the region above which reads take longer; for the last level, {@code memory}, the
 *     largest region measured
 * @param nanos the latency of a dependent read in a region of that size
 */
public record Level(String name, Kind kind, double bytes, double nanos) {
  /** What a step comes from. */
  public enum Kind {
    /** A cache, of the processor or of the device. */
    CACHE,
    /** Translations of addresses; its bytes are what its pages cover. */
    TLB,
    /** The memory itself. */
    MEMORY
  }

  /** Checks the figures. */
  public Level {
    if (!(bytes > 0) || !(nanos > 0)) {
      throw new ProfileException(
          "the level '%s' has %s bytes and %s ns: both are more than 0"
              .formatted(name, bytes, nanos));
    }
  }
}
