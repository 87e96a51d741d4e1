package io.pmstore.model.oms;

import io.pmstore.model.oms.OmsRates.Rate;
import io.pmstore.model.oms.OmsRates.Setting;
import io.pmstore.model.predict.GroupCommit;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts reports a second with durable commits from runs without: the fit sees only relaxed runs
 * on one medium, where nothing waits for a barrier. From them comes the processor's time of a
 * report over threads. All that has to do with durability comes from the profiles.
 */
public final class OmsModel {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Rate> relaxed;
  private final Profile pmem;
  private final Profile file;

  /**
   * What the model says about a setting.
   *
   * @param measured reports a second
   * @param predicted reports a second
   */
  public record Prediction(Setting setting, double measured, double predicted) {
    /** The error, as a part of what was measured. */
    public double error() {
      return Math.abs(predicted / measured - 1);
    }
  }

  /**
   * Fits.
   *
   * @param relaxed rates of relaxed runs on one medium, one for each number of threads
   * @param pmem the profile of the persistent memory
   * @param file the profile of the disk
   */
  public OmsModel(List<Rate> relaxed, Profile pmem, Profile file) {
    if (relaxed.isEmpty() || !relaxed.stream().allMatch(rate -> rate.setting().relaxed())) {
      throw new IllegalArgumentException("the fit sees relaxed runs only, not " + relaxed);
    }
    this.relaxed = List.copyOf(relaxed);
    this.pmem = pmem;
    this.file = file;
  }

  /** Returns the processor's time of a report in ns, of all processors together. */
  public double processorNanos(int threads) {
    int processors = (int) file.require(Quantity.PROCESSORS, "the fit");
    return relaxed.stream()
        .filter(rate -> rate.setting().threads() == threads)
        .findFirst()
        .map(rate -> Math.min(threads, processors) / rate.perSecond() * NANOS_PER_SECOND)
        .orElseThrow(
            () -> new IllegalArgumentException("no relaxed run had %d threads".formatted(threads)));
  }

  /** Predicts a rate of durable commits. */
  public double predict(Setting setting) {
    double work = processorNanos(setting.threads());
    Profile profile = setting.isPmem() ? pmem : file;
    double barrier = profile.require(Quantity.BARRIER_LATENCY, "durable commits");
    int processors = (int) profile.require(Quantity.PROCESSORS, "threads");
    if (setting.isPmem()) {
      // Each thread makes its own record durable, and the processor waits for it.
      return Math.min(setting.threads(), processors) / (work + barrier) * NANOS_PER_SECOND;
    }
    double append = profile.require(Quantity.APPEND_LATENCY, "appending to the log");
    return new GroupCommit(
            setting.threads(),
            processors,
            work + append,
            barrier - append,
            profile.require(Quantity.HAND_OFF, "sharing barriers"))
        .simulate()
        .perSecond();
  }

  /** Predicts all durable settings among measured ones. */
  public List<Prediction> compare(List<Rate> measured) {
    List<Prediction> predictions = new ArrayList<>();
    for (Rate rate : measured) {
      if (!rate.setting().relaxed()) {
        predictions.add(new Prediction(rate.setting(), rate.perSecond(), predict(rate.setting())));
      }
    }
    return predictions;
  }
}
