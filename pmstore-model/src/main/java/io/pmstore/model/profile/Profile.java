package io.pmstore.model.profile;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known about a memory or a disk, and the machine that it is in.
 *
 * @param name short, as the command line has it
 * @param kind what the medium is
 * @param sources where the figures come from: a measurement, or publications
 * @param machine facts about the machine, in the order to be shown
 * @param method how it was measured, a sentence each
 * @param figures what is known; the others are not
 * @param levels the steps of the read latency, smallest first, the memory last; empty if unknown
 * @param series the measured curves
 */
public record Profile(
    String name,
    Kind kind,
    List<String> sources,
    Map<String, String> machine,
    List<String> method,
    Map<Quantity, Figure> figures,
    List<Level> levels,
    List<Series> series) {

  /** Kinds of media. */
  public enum Kind {
    /** Read and written by loads and stores, made durable by write-backs and fences. */
    MEMORY,
    /** Read through the page cache, written and synced by system calls. */
    DISK
  }

  /**
   * Checks the figures.
   *
   * @throws ProfileException if one is impossible
   */
  public Profile {
    sources = List.copyOf(sources);
    method = List.copyOf(method);
    figures = Map.copyOf(figures);
    levels = List.copyOf(levels);
    series = List.copyOf(series);
    if (sources.isEmpty()) {
      throw new ProfileException(name + ": no sources: say where the figures come from");
    }
    figures.forEach(Quantity::check);
    double bytes = 0;
    double nanos = 0;
    for (Level level : levels) {
      if (level.bytes() < bytes || level.nanos() < nanos) {
        throw new ProfileException(
            "%s: the level '%s' is smaller or faster than the one before it; levels go from the smallest to the memory"
                .formatted(name, level.name()));
      }
      bytes = level.bytes();
      nanos = level.nanos();
    }
    if (!levels.isEmpty() && levels.getLast().kind() != Level.Kind.MEMORY) {
      throw new ProfileException(name + ": the last level is not of the kind MEMORY");
    }
  }

  /** Returns a figure, if the profile has it. */
  public Optional<Figure> figure(Quantity quantity) {
    return Optional.ofNullable(figures.get(quantity));
  }

  /**
   * Returns the value of a figure.
   *
   * @param purpose what it is needed for
   * @throws ProfileException if the profile does not have it
   */
  public double require(Quantity quantity, String purpose) {
    Figure figure = figures.get(quantity);
    if (figure == null) {
      throw new ProfileException(
          "the profile '%s' has no figure '%s' (%s), which is needed for %s: measure the machine (./model probe DIR), or write the figure into the profile"
              .formatted(name, quantity.key(), quantity.unit(), purpose));
    }
    return figure.value();
  }

  /** Returns a curve, if the profile has it. */
  public Optional<Series> series(String wanted) {
    return series.stream().filter(one -> one.name().equals(wanted)).findFirst();
  }

  /** Returns the profile with other figures in place of its own. */
  public Profile with(Map<Quantity, Figure> others) {
    Map<Quantity, Figure> all = new EnumMap<>(Quantity.class);
    all.putAll(figures);
    all.putAll(others);
    return new Profile(name, kind, sources, machine, method, all, levels, series);
  }
}
