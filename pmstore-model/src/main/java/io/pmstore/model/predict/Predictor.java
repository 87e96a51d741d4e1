package io.pmstore.model.predict;

import io.pmstore.model.predict.Workload.Misses;
import io.pmstore.model.predict.Workload.Operation;
import io.pmstore.model.predict.Workload.ProcessorTime;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileException;
import io.pmstore.model.profile.Quantity;
import io.pmstore.model.profile.Series;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Predicts throughput and latency.
 *
 * <p>An operation takes the processor's time, as observed; the latency of the level in which each
 * line is that it waits for; the time that lines and records take at the memory's bandwidth; and on
 * persistent memory its barrier. Threads run on the processors there are. On a disk they share
 * barriers, which {@link GroupCommit} simulates. Together they cannot read more lines than the
 * parallelism of all processors allows (Little's law: reads under way divided by their latency),
 * and not more bytes than the bandwidth.
 */
public final class Predictor {
  /** The mean error of the model where it could be compared with measurements. */
  public static final double OWN_ERROR = 0.15;

  private static final double LINE = 64;
  private static final double RECORD = 128; // what the probe appends
  private static final double NANOS_PER_SECOND = 1e9;

  private final Workload workload;
  private final Profile profile;

  /** Prepares. */
  public Predictor(Workload workload, Profile profile) {
    this.workload = workload;
    this.profile = profile;
  }

  /**
   * Predicts.
   *
   * @param threads how many apply operations, at least 1
   * @throws ProfileException if the profile lacks a figure that is needed
   */
  public Prediction predict(int threads) {
    Prediction middle = predict(profile, threads);
    double slow = predict(shifted(true), threads).perSecond();
    double fast = predict(shifted(false), threads).perSecond();
    return new Prediction(
        profile.name(),
        threads,
        middle.perSecond(),
        Math.min(slow, middle.perSecond()) * (1 - OWN_ERROR),
        Math.max(fast, middle.perSecond()) * (1 + OWN_ERROR),
        middle.latencyNanos(),
        middle.processorNanos(),
        middle.waitingNanos(),
        middle.movingNanos(),
        middle.barrierNanos(),
        middle.limit());
  }

  /** The profile with each figure at the end of its interval that is slower, or faster. */
  private Profile shifted(boolean slower) {
    Map<Quantity, Figure> figures = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.values()) {
      Figure figure = profile.figure(quantity).orElse(null);
      if (figure != null) {
        boolean more =
            switch (quantity) {
              case READ_BANDWIDTH, WRITE_BANDWIDTH, PARALLELISM, PROCESSORS -> !slower;
              default -> slower;
            };
        double value = more ? figure.high() : figure.low();
        figures.put(quantity, new Figure(value, value, value, figure.unit(), null));
      }
    }
    return profile.with(figures);
  }

  private Prediction predict(Profile on, int threads) {
    int processors = (int) on.require(Quantity.PROCESSORS, "a prediction");
    double waiting = 0;
    double missedLines = 0;
    double logBytes = 0;
    double barriers = 0;
    double records = 0;
    double observed = 0;
    for (Operation operation : workload.operations()) {
      observed += operation.share() * operation.processorNanos();
      waiting += operation.share() * waiting(on, operation);
      missedLines += operation.share() * missed(on, operation);
      logBytes += operation.share() * operation.logBytes();
      records += operation.share() * operation.logRecords();
      barriers += operation.share() * operation.barriers();
    }
    double processor = processorNanos(threads, processors, observed);
    double moving = missedLines * LINE / on.require(Quantity.READ_BANDWIDTH, "lines read");
    if (logBytes > 0) {
      moving +=
          Math.max(0, logBytes - records * RECORD)
              / on.require(Quantity.WRITE_BANDWIDTH, "the log");
    }
    double barrier = barriers > 0 ? on.require(Quantity.BARRIER_LATENCY, "durable commits") : 0;
    boolean shares = on.kind() == Profile.Kind.DISK && barriers > 0;
    double perSecond;
    if (shares) {
      double work = (processor + waiting + moving) / barriers; // between two commits
      perSecond = shared(on, threads, processors, work, barrier, records) / barriers;
      barrier = Math.max(0, threads / perSecond * NANOS_PER_SECOND - work * barriers);
    } else {
      barrier *= barriers;
      double each = processor + waiting + moving + barrier;
      perSecond = Math.min(threads, processors) / each * NANOS_PER_SECOND;
      perSecond = Math.min(perSecond, mostReads(on, missedLines, processors));
    }
    if (logBytes > 0) {
      perSecond =
          Math.min(
              perSecond,
              on.require(Quantity.WRITE_BANDWIDTH, "the log") / logBytes * NANOS_PER_SECOND);
    }
    return new Prediction(
        on.name(),
        threads,
        perSecond,
        perSecond,
        perSecond,
        threads / perSecond * NANOS_PER_SECOND,
        processor,
        waiting,
        moving,
        barrier,
        limit(processor, waiting, moving, barrier));
  }

  /**
   * Commits a second of threads that share barriers: from bare records of as many threads where the
   * profile has them, else simulated.
   */
  private static double shared(
      Profile on, int threads, int processors, double work, double barrier, double records) {
    double append = on.require(Quantity.APPEND_LATENCY, "appending to the log");
    if (threads == 1) {
      return NANOS_PER_SECOND / (work + Math.max(1, records) * append + barrier - append);
    }
    double delay = measured(on, threads);
    if (delay > 0) {
      return new ClosedLoop(threads, processors, work, delay).perSecond();
    }
    double handOff = on.require(Quantity.HAND_OFF, "sharing barriers");
    return new GroupCommit(
            threads, processors, work + append, Math.max(0, barrier - append), handOff)
        .simulate()
        .perSecond();
  }

  /** The time of a bare durable record of one of so many threads; 0 if that was not measured. */
  private static double measured(Profile on, int threads) {
    return on.series(Series.SHARED_BARRIER).stream()
        .flatMap(series -> series.points().stream())
        .filter(point -> point.x() == threads)
        .mapToDouble(Series.Point::value)
        .findFirst()
        .orElse(0);
  }

  /** Operations a second for which the memory delivers the lines: Little's law, and bandwidth. */
  private static double mostReads(Profile on, double lines, int processors) {
    if (lines <= 0) {
      return Double.MAX_VALUE;
    }
    double byBandwidth = on.require(Quantity.READ_BANDWIDTH, "lines read") / LINE;
    double underWay = on.figure(Quantity.PARALLELISM).map(Figure::value).orElse(1.0) * processors;
    double byParallelism = underWay / on.require(Quantity.READ_LATENCY, "lines read");
    return Math.min(byBandwidth, byParallelism) / lines * NANOS_PER_SECOND;
  }

  private double processorNanos(int threads, int processors, double observed) {
    List<ProcessorTime> times = workload.relaxedNanos();
    if (times.isEmpty() || threads == 1) {
      return observed;
    }
    // Threads disturb each other: as much as they did where the workload was observed.
    double alone = times.getFirst().nanos();
    ProcessorTime nearest = times.getFirst();
    for (ProcessorTime time : times) {
      if (Math.abs(Math.log((double) time.threads() / threads))
          < Math.abs(Math.log((double) nearest.threads() / threads))) {
        nearest = time;
      }
    }
    return observed * (processors == 1 ? 1 : nearest.nanos() / alone);
  }

  /**
   * Returns the processor's part of an observed time: what is left of it when the waits that the
   * model knows are taken off.
   *
   * @param operation its counts
   * @param on the profile of the memory where it was observed
   * @param nanos how long it took, alone
   * @throws ProfileException if the waits take longer than the whole
   */
  public static double processorNanos(Operation operation, Profile on, double nanos) {
    double waits = waiting(on, operation);
    if (operation.barriers() > 0) {
      waits += operation.barriers() * on.require(Quantity.BARRIER_LATENCY, "durable commits");
    }
    if (waits >= nanos) {
      throw new ProfileException(
          "an operation '%s' took %.0f ns, and on the profile '%s' it waits %.0f ns: the profile is not of this memory"
              .formatted(operation.kind(), nanos, on.name(), waits));
    }
    return nanos - waits;
  }

  private static List<Level> levels(Profile on) {
    if (on.levels().isEmpty()) {
      throw new ProfileException(
          "the profile '%s' has no levels: a prediction needs the sizes and latencies of its caches. Measure the machine (./model probe DIR), or write the levels into the profile"
              .formatted(on.name()));
    }
    return on.levels();
  }

  private static double waiting(Profile on, Operation operation) {
    List<Level> levels = levels(on);
    double nanos = 0;
    for (int i = 0; i + 1 < levels.size(); i++) {
      double height = levels.get(i + 1).nanos() - levels.get(i).nanos();
      nanos += height * misses(operation, levels.get(i).kind(), levels.get(i).bytes());
    }
    return nanos;
  }

  /** Lines that come from the memory itself. */
  private static double missed(Profile on, Operation operation) {
    double largest =
        levels(on).stream()
            .filter(level -> level.kind() == Level.Kind.CACHE)
            .mapToDouble(Level::bytes)
            .max()
            .orElse(0);
    return misses(operation, Level.Kind.CACHE, largest);
  }

  /** Misses of a capacity: interpolated over its logarithm. */
  static double misses(Operation operation, Level.Kind kind, double bytes) {
    Misses below = null;
    for (Misses misses : operation.misses()) {
      if (misses.kind() != kind) {
        continue;
      }
      if (misses.bytes() >= bytes) {
        if (below == null) {
          return misses.each();
        }
        double part = Math.log(bytes / below.bytes()) / Math.log(misses.bytes() / below.bytes());
        return below.each() + part * (misses.each() - below.each());
      }
      below = misses;
    }
    return below == null ? operation.linesAwaited() : below.each();
  }

  private static Limit limit(double processor, double waiting, double moving, double barrier) {
    double most = Math.max(Math.max(processor, waiting), Math.max(moving, barrier));
    if (most == processor) {
      return Limit.PROCESSOR;
    }
    if (most == waiting) {
      return Limit.LATENCY;
    }
    return most == moving ? Limit.BANDWIDTH : Limit.BARRIER;
  }
}
