package io.pmstore.model.observe;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.model.shared.Operations;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.targets.PmStoreService;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The reports of an order flow, 6 updates for each order. */
public final class OmsOperations implements Operations {
  private static final int RATIO = 6;

  private final PmStoreService service;
  private final List<FlowEvent> events;
  private int next = -1;

  /**
   * Opens the store.
   *
   * @param storage the name of a {@link Storage}
   * @param size how many reports there are, about
   */
  public OmsOperations(Path directory, String storage, Long size, Long seed) throws IOException {
    int orders = Math.toIntExact(Math.max(1, size / (RATIO + 1)));
    events =
        FlowSource.generate(new FlowSettings(orders, RATIO, seed), null, reports -> {}).events();
    service =
        new PmStoreService(
            PmStore.open(directory, PmStoreOptions.defaults().storage(Storage.valueOf(storage))));
  }

  @Override
  public List<String> kinds() {
    return List.of("new order", "update");
  }

  @Override
  public int prepare() {
    if (++next >= events.size()) {
      return -1;
    }
    return events.get(next) instanceof FlowEvent.NewOrder ? 0 : 1;
  }

  @Override
  public void perform() {
    service.apply(events.get(next));
  }

  @Override
  public void close() {
    service.close();
  }
}
