package io.pmstore.model.profile;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What a profile can state about a memory, with its unit and the range of possible values. */
public enum Quantity {
  /** One dependent read of a cache line at a random place in the memory. */
  READ_LATENCY("readLatency", "ns", 0.1, 1e9),
  /** One store to a line at a random place, with its write-back and a fence. */
  WRITE_LATENCY("durableWriteLatency", "ns", 0.1, 1e9),
  /** Reading by as many threads as help. */
  READ_BANDWIDTH("readBandwidth", "GB/s", 1e-4, 1e5),
  /** Durable writing by as many threads as help. */
  WRITE_BANDWIDTH("writeBandwidth", "GB/s", 1e-4, 1e5),
  /** How many independent reads of one thread are under way together. */
  PARALLELISM("parallelism", "reads", 1, 1e3),
  /** One small write at the end of a log that is made durable, by a thread alone. */
  BARRIER_LATENCY("barrierLatency", "ns", 0.1, 1e10),
  /** The part of {@link #BARRIER_LATENCY} before the barrier: a record of 128 bytes is written. */
  APPEND_LATENCY("appendLatency", "ns", 0.1, 1e9),
  /** From waking a thread that is parked until it runs. */
  HAND_OFF("handOff", "ns", 1, 1e9),
  /** One read of 4 KiB from the device, past the page cache. */
  DEVICE_READ_LATENCY("deviceReadLatency", "ns", 1, 1e10),
  /** How many threads run at the same time. */
  PROCESSORS("processors", "threads", 1, 1e5);

  private final String key;
  private final String unit;
  private final double min;
  private final double max;

  Quantity(String key, String unit, double min, double max) {
    this.key = key;
    this.unit = unit;
    this.min = min;
    this.max = max;
  }

  /** Returns its name in a profile. */
  public String key() {
    return key;
  }

  /** Returns the unit of its values. */
  public String unit() {
    return unit;
  }

  static Quantity ofKey(String key) {
    return Arrays.stream(values())
        .filter(quantity -> quantity.key.equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new ProfileException(
                    "there is no figure '%s'; the figures of a profile are %s"
                        .formatted(
                            key,
                            Arrays.stream(values())
                                .map(Quantity::key)
                                .collect(Collectors.joining(", ")))));
  }

  /**
   * Checks a value.
   *
   * @throws ProfileException if no memory can have it, or it has another unit
   */
  void check(Figure figure) {
    if (!figure.unit().equals(unit)) {
      throw new ProfileException("%s is in %s, not in '%s'".formatted(key, unit, figure.unit()));
    }
    if (!(figure.value() >= min && figure.value() <= max)) {
      throw new ProfileException(
          "%s is %s %s: impossible, it is from %s to %s"
              .formatted(key, figure.value(), unit, min, max));
    }
    if (!(figure.low() <= figure.value() && figure.value() <= figure.high())) {
      throw new ProfileException(
          "%s is %s, outside its own interval from %s to %s"
              .formatted(key, figure.value(), figure.low(), figure.high()));
    }
  }
}
