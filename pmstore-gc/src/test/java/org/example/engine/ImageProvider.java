package org.example.engine;

import io.pmstore.GroupAccess;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.EngineRepair;
import io.pmstore.core.engine.MemoryEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An engine of somebody else's, which pmstore does not name: its stores are images in memory that
 * outlive it. A directory with a file {@value #MARK} is such a store. The setting {@value
 * #COMMIT_MAX} is the size of the largest commit in bytes.
 */
public final class ImageProvider implements EngineProvider {
  static final String NAME = "images";
  static final String COMMIT_MAX = "commit-max";
  private static final String MARK = "image";

  private static final Map<Path, MemoryEngine.Image> IMAGES = new ConcurrentHashMap<>();

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
    return NAME;
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
    Map<String, String> settings = options.engineSettings();
    if (!Set.of(COMMIT_MAX).containsAll(settings.keySet())) {
      throw new IllegalArgumentException(
          "an image has the setting %s, not %s".formatted(COMMIT_MAX, settings.keySet()));
    }
    long commitMax = Long.parseLong(settings.getOrDefault(COMMIT_MAX, "" + (1 << 20)));
    try {
      Files.createDirectories(directory);
      if (!recognizes(directory)) {
        Files.createFile(directory.resolve(MARK));
      }
    } catch (IOException e) {
      throw new PmStoreException(directory + " cannot have an image: " + e, e);
    }
    return new MemoryEngine(image(directory), commitMax);
  }

  @Override
  public EngineRepair repair(Path directory) {
    throw new StoreFormatException(directory + " has an image, which cannot be repaired");
  }
}
