package io.pmstore.jmh.results;

import java.util.List;
import java.util.Map;

/**
 * Everything that one run measured.
 *
 * @param run what is to be known of the run, in the order to be shown: machine, versions, file
 *     systems, settings, the command
 * @param measurements the figures
 * @param latencies the distributions
 * @param omissions steps without a result
 */
public record Results(
    Map<String, String> run,
    List<Measurement> measurements,
    List<LatencyCurve> latencies,
    List<Omission> omissions) {
  /** What a fact of the run has in it if its persistent memory is only emulated. */
  public static final String EMULATED = "EMULATED";
}
