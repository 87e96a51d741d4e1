package io.pmstore.jmh.results;

import java.util.List;
import java.util.Map;

/**
 * Everything that one run measured.
 *
 * @param run what is to be known of the run, in the order to be shown: machine, versions, file
 *     systems, settings, the command
 * @param omissions steps without a result
 */
public record Results(
    Map<String, String> run,
    List<Measurement> measurements,
    List<LatencyCurve> latencies,
    List<Omission> omissions) {
  /** The word in a fact of the run that marks persistent memory as emulated. */
  public static final String EMULATED = "EMULATED";
}
