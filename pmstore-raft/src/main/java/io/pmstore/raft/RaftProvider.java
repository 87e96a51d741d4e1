package io.pmstore.raft;

import static io.pmstore.core.engine.FailedOpening.closeAfter;
import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.Set;

/** Opens the nodes of replicated stores. Programs name the engine by {@link RaftSettings}. */
public final class RaftProvider implements EngineProvider {
  /** For {@link ServiceLoader}. */
  public RaftProvider() {}

  @Override
  public String name() {
    return RaftSettings.ENGINE;
  }

  @Override
  public Set<Storage> storages() {
    return Set.of();
  }

  @Override
  public boolean recognizes(Path directory) {
    return NodeFiles.recognizes(directory);
  }

  @Override
  public GroupAccess groupAccess(Path directory) throws IOException {
    return heaps().groupAccess(new NodeFiles(directory).heap());
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    if (options.readOnly()) {
      throw new PmStoreException(
          "%s is a node of a replicated store, which is not opened for reading only; read in snapshots of the open node, or make a backup"
              .formatted(directory));
    }
    if (options.engine().isEmpty()) {
      throw new PmStoreException(
          "%s is a node of a replicated store; open it with RaftSettings, which say who the others are"
              .formatted(directory));
    }
    RaftSettings settings = RaftSettings.of(options.engineSettings());
    RatisServer.check(settings);
    NodeFiles files = new NodeFiles(directory);
    files.lock();
    try {
      boolean isNew = files.prepare(settings.id(), settings.group());
      Engine heap = heaps().open(files.heap(), options);
      return orClose(
          heap, () -> new RaftEngine(heap, new Node(settings, files, options, heaps()), isNew));
    } catch (Throwable t) {
      closeAfter(t, files);
      throw t;
    }
  }

  @Override
  public Engine openToVerify(Path directory, PmStoreOptions options) {
    return heaps().openToVerify(new NodeFiles(directory).heap(), options);
  }

  @Override
  public EngineRepair repair(Path directory) {
    return heaps().repair(new NodeFiles(directory).heap());
  }

  /** Returns the engine of the heaps of nodes. */
  private static EngineProvider heaps() {
    for (EngineProvider provider :
        ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
      if (provider.storages().contains(Storage.FILE)) {
        return provider;
      }
    }
    throw new PmStoreException(
        "no engine for Storage.FILE was found beside the engine raft, which keeps heaps in it;"
            + " depend on io.pmstore:pmstore");
  }
}
