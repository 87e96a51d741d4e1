package io.pmstore.jmh.report;

import java.util.List;

/** What has no result, and why. */
final class OmissionsSection {
  private OmissionsSection() {}

  static Section of(Figures figures) {
    List<List<String>> rows =
        figures.results().omissions().stream()
            .map(omission -> List.of(omission.step(), omission.reason()))
            .toList();
    return new Section(
        "Without a result",
        rows.isEmpty()
            ? List.of()
            : List.of(
                new Block.Table(
                    "Steps that were left out, or failed", List.of("step", "reason"), rows)));
  }
}
