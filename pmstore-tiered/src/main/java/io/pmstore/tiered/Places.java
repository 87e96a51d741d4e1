package io.pmstore.tiered;

import static io.pmstore.core.medium.Media.usePmem;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.medium.ReadOnlyMedium;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a store, which may be one.
 *
 * @param main of the header
 * @param pools of the pools
 * @param spills of spills and bases
 */
record Places(Medium main, Medium pools, Medium spills) {
  /** Makes the media of an opening. */
  record Media(AccessRights rights, UnaryOperator<Medium> wrap) {
    Medium of(Path directory) {
      return wrap.apply(new FileMedium(directory, rights));
    }
  }

  /** Returns the header with the directories that the options name, if they name any. */
  static StoreHeader named(Medium main, StoreHeader header, PmStoreOptions options)
      throws IOException {
    return header.opened(
        header.floor(),
        named(main, options.tieredPoolDirectory(), header.poolPath()),
        named(main, options.tieredSpillDirectory(), header.spillPath()));
  }

  /** Returns null for the store's own directory. */
  private static @Nullable String named(
      Medium main, Optional<Path> option, @Nullable String recorded) throws IOException {
    if (option.isEmpty() && recorded == null) {
      return null;
    }
    Path directory = option.orElseGet(() -> Path.of(String.valueOf(recorded)));
    if (Files.exists(directory) && Files.isSameFile(directory, main.directory())) {
      return null;
    }
    String text = directory.toAbsolutePath().normalize().toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > StoreHeader.PATH_MAX) {
      throw new PmStoreException(
          "the path %s is longer than %d bytes; choose a shorter one"
              .formatted(text, StoreHeader.PATH_MAX));
    }
    return text;
  }

  /** Returns the directories that a header names, for writing. */
  static Places of(Medium main, StoreHeader header, PmStoreOptions options, Media media)
      throws IOException {
    Path pools = directory(main, header.poolPath(), "pools", "tieredPools");
    Path spills = directory(main, header.spillPath(), "spills", "tieredSpillDirectory");
    boolean pmem = usePmem(options.tieredPoolStorage(), header.medium(), pools);
    return new Places(
        main,
        pmem ? media.wrap.apply(new PmemMedium(pools, media.rights)) : media.of(pools),
        header.spillPath() == null ? main : media.of(spills));
  }

  /** Returns the directories that a header names, for reading. */
  static Places forReading(Medium main, StoreHeader header) {
    return new Places(
        main,
        new ReadOnlyMedium(directory(main, header.poolPath(), "pools", "tieredPools")),
        new ReadOnlyMedium(directory(main, header.spillPath(), "spills", "tieredSpillDirectory")));
  }

  private static Path directory(
      Medium main, @Nullable String recorded, String what, String option) {
    Path directory = recorded == null ? main.directory() : Path.of(recorded);
    if (!Files.isDirectory(directory)) {
      throw new StoreDamagedException(
          "%s is missing, the directory of the %s of the store in %s. Mount its device; if it has another path now, open the store with PmStoreOptions.%s"
              .formatted(directory, what, main.directory(), option));
    }
    return directory;
  }
}
