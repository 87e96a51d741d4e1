package io.pmstore.jmh.report;

import java.util.List;

/** The steps without a result, and the reason of each. */
final class OmissionsSection {
  private OmissionsSection() {}

  static Section of(Figures figures) {
    List<List<String>> rows =
        figures.results().omissions().stream()
            .map(omission -> List.of(omission.step(), omission.reason()))
            .toList();
    return new Section(
        "Without a result",
        List.of(
            new Block.Table(
                "Steps that were left out, or failed", List.of("step", "reason"), rows)));
  }
}
