package org.example.engine;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.MemoryEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An engine of somebody else's, which pmstore does not name: its stores are images in memory that
 * outlive it. A directory with a file {@value #MARK} is for such a store.
 */
public final class ImageProvider implements EngineProvider {
  static final String MARK = "image";

  private static final Map<Path, MemoryEngine.Image> IMAGES = new ConcurrentHashMap<>();
  private static final long COMMIT_MAX = 1 << 20;

  /** Makes of one directory's store what a kill would have left of another's. */
  static void copy(Path from, Path to) {
    IMAGES.put(to, image(from).copy());
  }

  /** Drops all images. */
  static void forget() {
    IMAGES.clear();
  }

  private static MemoryEngine.Image image(Path directory) {
    return IMAGES.computeIfAbsent(directory, made -> new MemoryEngine.Image());
  }

  @Override
  public String name() {
    return "images";
  }

  @Override
  public Set<Storage> storages() {
    return Set.of();
  }

  @Override
  public boolean recognizes(Path directory) {
    return Files.exists(directory.resolve(MARK));
  }

  @Override
  public GroupAccess groupAccess(Path directory) {
    return GroupAccess.NONE;
  }

  @Override
  public Engine open(Path directory, PmStoreOptions options) {
    return new MemoryEngine(image(directory), COMMIT_MAX);
  }

  @Override
  public EngineRepair repair(Path directory) {
    throw new StoreFormatException(directory + " has an image, which cannot be repaired");
  }
}
