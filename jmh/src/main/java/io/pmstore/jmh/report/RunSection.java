package io.pmstore.jmh.report;

import java.util.ArrayList;
import java.util.List;

/** The facts of the run, and how to read the figures. */
final class RunSection {
  private RunSection() {}

  static Section of(Figures figures) {
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Table(
            "What was measured on what, and how to repeat it",
            List.of("fact", "value"),
            figures.results().run().entrySet().stream()
                .map(fact -> List.of(fact.getKey(), fact.getValue()))
                .toList()));
    if (Media.isEmulated(figures.results())) {
      blocks.add(
          new Block.Text(
              "Persistent memory is emulated: ordinary memory under tmpfs, written with the same"
                  + " cache-line write-backs and fences. Its latencies are those of DRAM, and"
                  + " nothing there survives a power cut. Compare targets, not media."));
    }
    blocks.add(
        new Block.Text(
            "Figures are means. Behind them in brackets, and as error bars, are 95 % confidence"
                + " intervals: percentile bootstrap, 10,000 resamples. What was measured once has"
                + " none. Targets are compared only within one durability: sync is durable when"
                + " acknowledged, relaxed soon after, none never. Three targets are limits, and"
                + " no stores: barrier makes as many bytes durable and does nothing else, hashmap"
                + " does the work and keeps nothing, bytes makes strings of bytes that lie outside"
                + " of the Java heap. Axes are logarithmic where values differ by more"
                + " than 30 times."));
    return new Section("The run", blocks);
  }
}
