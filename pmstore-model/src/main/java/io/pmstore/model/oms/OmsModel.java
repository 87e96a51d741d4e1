package io.pmstore.model.oms;

import io.pmstore.model.oms.OmsRates.Rate;
import io.pmstore.model.oms.OmsRates.Setting;
import io.pmstore.model.predict.ClosedLoop;
import java.util.ArrayList;
import java.util.List;

/**
 * Predicts durable reports a second on both media from relaxed runs on persistent memory, which the
 * fit sees and nothing else.
 *
 * <p>These give the processor's time of a report over threads, less the bare barrier of persistent
 * memory, which a relaxed commit pays too. What durability costs comes from bare records, of as
 * many threads that share barriers, on the medium that is predicted; how threads share processors
 * meanwhile, from {@link ClosedLoop}.
 */
public final class OmsModel {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Rate> rates;
  private final int processors;

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
   * Takes the measured rates; a prediction uses the relaxed ones on persistent memory only.
   *
   * @param processors how many threads run at the same time
   */
  public OmsModel(List<Rate> rates, int processors) {
    this.rates = List.copyOf(rates);
    this.processors = processors;
  }

  private Rate rate(boolean isPmem, boolean relaxed, int threads) {
    Setting setting = new Setting(isPmem, relaxed, threads);
    return rates.stream()
        .filter(rate -> rate.setting().equals(setting))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run was " + setting.label()));
  }

  private double each(Rate rate) {
    return Math.min(rate.setting().threads(), processors) / rate.perSecond() * NANOS_PER_SECOND;
  }

  /**
   * Predicts a durable setting.
   *
   * @param bare the costs of bare records on its medium; its rate is not used
   */
  private double predict(Rate bare) {
    int threads = bare.setting().threads();
    Rate fitted = rate(true, true, threads);
    double work = each(fitted) - fitted.barrierNanos();
    if (work <= 0) {
      throw new IllegalArgumentException(
          "a report takes %.0f ns on persistent memory, less than a bare barrier of %.0f"
              .formatted(each(fitted), fitted.barrierNanos()));
    }
    if (bare.setting().isPmem()) {
      // Each thread makes its own record durable, and the processor waits for it.
      return Math.min(threads, processors) / (work + bare.barrierNanos()) * NANOS_PER_SECOND;
    }
    return new ClosedLoop(threads, processors, work, bare.sharedNanos()).perSecond();
  }

  /** Predicts all durable settings that were measured. */
  public List<Prediction> compare() {
    List<Prediction> predictions = new ArrayList<>();
    for (Rate rate : rates) {
      if (!rate.setting().relaxed()) {
        predictions.add(new Prediction(rate.setting(), rate.perSecond(), predict(rate)));
      }
    }
    return predictions;
  }
}
