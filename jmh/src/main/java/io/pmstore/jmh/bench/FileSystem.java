package io.pmstore.jmh.bench;

import io.pmstore.core.medium.Media;
import io.pmstore.jmh.results.Results;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The file system that a directory is on.
 *
 * @param type {@code ext4}, {@code tmpfs}, ...
 * @param device what is mounted
 * @param dax whether it is mounted with DAX, so that mapped files are persistent memory itself
 */
record FileSystem(String type, String device, boolean dax) {
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs");

  static FileSystem of(Path directory) throws IOException {
    FileStore store = Files.getFileStore(directory);
    return new FileSystem(store.type(), store.name(), Media.isDax(directory));
  }

  boolean inMemory() {
    return IN_MEMORY.contains(type);
  }

  /** How it is told as the medium of ordinary files. */
  String asFile() {
    return this + (inMemory() ? "; IN MEMORY: no disk is measured" : "");
  }

  /** How it is told as persistent memory. */
  String asPmem() {
    return this
        + (dax
            ? "; real (DAX)"
            : "; " + Results.EMULATED + ": no DAX, cache lines go back to ordinary memory");
  }

  @Override
  public String toString() {
    return type + " on " + device;
  }
}
