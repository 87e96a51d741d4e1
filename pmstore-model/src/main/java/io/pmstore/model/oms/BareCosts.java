package io.pmstore.model.oms;

import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import io.pmstore.model.target.FileMemory;
import io.pmstore.model.target.ProbedMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What bare appends, barriers and hand-offs cost, measured between the runs that are compared with
 * a prediction: on a shared machine a disk is not the same a few minutes later. No store takes
 * part.
 */
final class BareCosts {
  private static final int HAND_OFFS = 1_000;
  private static final double QUANTILE = 0.25; // as the rates have their upper quartile
  private static final int TAKES = 4;

  private final Path directory;
  private final Map<Quantity, List<Double>> samples = new EnumMap<>(Quantity.class);

  BareCosts(Path directory) {
    this.directory = directory;
  }

  void measure() throws IOException, InterruptedException {
    try (ProbedMemory memory = FileMemory.create(directory, FileMemory.BYTES_MIN)) {
      int barriers = memory.kind() == Profile.Kind.DISK ? 100 : 20_000;
      int appends = memory.kind() == Profile.Kind.DISK ? 2_000 : 20_000;
      for (int i = 0; i < TAKES; i++) {
        add(Quantity.APPEND_LATENCY, memory.appends(1, appends, false) / appends);
        add(Quantity.BARRIER_LATENCY, memory.appends(1, barriers, true) / barriers);
        add(Quantity.HAND_OFF, memory.handOffs(HAND_OFFS) / HAND_OFFS);
      }
    }
  }

  private void add(Quantity quantity, double nanos) {
    samples.computeIfAbsent(quantity, q -> new ArrayList<>()).add(nanos);
  }

  Map<Quantity, Figure> figures() {
    Map<Quantity, Figure> figures = new EnumMap<>(Quantity.class);
    samples.forEach(
        (quantity, values) -> {
          List<Double> sorted = values.stream().sorted().toList();
          figures.put(
              quantity,
              new Figure(
                  sorted.get((int) (QUANTILE * (sorted.size() - 1))),
                  sorted.getFirst(),
                  sorted.getLast(),
                  quantity.unit(),
                  "measured between the runs"));
        });
    return figures;
  }
}
