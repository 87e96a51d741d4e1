package io.pmstore.core.engine.mapped;

import io.pmstore.Storage;
import io.pmstore.core.engine.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A disk that is really full, in processes with their own file system: the store stays readable,
 * and continues once space is freed. See {@link FullDiskChild}.
 */
@Timeout(300)
class FullDiskTest {
  // Room for a new store and some growth, beside the ballast.
  private static final String SIZE = "160m";

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void inMemory(Storage storage) {
    ChildJvm.assumeMounts();
    child(storage, "delete")
        .withMounts(
            "mount -t tmpfs -o size=%s none '%s'; \"$@\" 1; exec \"$@\" 2".formatted(SIZE, disk()))
        .run();
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE"})
  void onExt4(Storage storage) {
    ChildJvm.assumeSucceeds(
        "an ext4 file system cannot be mounted, which only root can",
        "sh",
        "-c",
        "truncate -s 8M '%1$s' && mkfs.ext4 -q '%1$s' && unshare -m mount -o loop '%1$s' /mnt"
            .formatted(directory.resolve("probe")));
    child(storage, "delete")
        .withRootsMounts(
            "truncate -s %1$s '%2$s.img'; mkfs.ext4 -q '%2$s.img'; mount -o loop '%2$s.img' '%2$s'; \"$@\" 1; exec \"$@\" 2"
                .formatted(SIZE.replace("m", "M"), disk()))
        .run();
  }

  /** Not the disk is full, but files cannot get larger; raising the limit is what frees space. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void withALimitOnTheSizeOfFiles(Storage storage) {
    ChildJvm.assumeSucceeds("there is no prlimit", "prlimit", "--version");
    child(storage, "raise")
        .within(
            "ulimit -S -f $((80 * 2048)); \"$@\" 1; ulimit -S -f unlimited; exec \"$@\" 2") // in
        // units
        // of
        // 512
        // bytes
        .run();
  }

  private Path disk() {
    Path disk = directory.resolve("disk");
    disk.toFile().mkdir();
    return disk;
  }

  private ChildJvm child(Storage storage, String free) {
    return new ChildJvm(
        FullDiskChild.class, disk(), directory.resolve("notes"), storage.name(), free);
  }
}
