package io.pmstore.junit;

import io.pmstore.crash.CrashImages;
import io.pmstore.crash.Disk;
import io.pmstore.crash.DiskFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The contents that a crash could leave of a store's files.
 *
 * @param <T> the type of what was promised
 * @param files the files after the crash
 * @param promised what was promised at the moment of the crash
 * @param description which writes are missing
 */
record CrashImage<T>(Disk files, T promised, String description) {

  /** Makes an image of a choice, with the disk's monitor held. */
  static <T> CrashImage<T> of(CrashImages images, int[] choice, T promised) {
    return new CrashImage<>(images.build(choice), promised, images.describe(choice));
  }

  /** Returns the choice that a kill leaves: every write, because the kernel continues to run. */
  static int[] killed(CrashImages images) {
    return images.aspects().stream().mapToInt(aspect -> aspect.versions() - 1).toArray();
  }

  /** Writes the files to a new directory. */
  void writeTo(Path directory) throws IOException {
    Files.createDirectory(directory);
    for (Map.Entry<String, DiskFile> entry : files.names().entrySet()) {
      write(entry.getValue(), directory.resolve(entry.getKey()));
    }
  }

  private static void write(DiskFile contents, Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(contents.size());
      IOException[] failed = new IOException[1];
      contents
          .bytes()
          .forEachPage(
              (offset, page) -> {
                int length = (int) Math.min(page.length, contents.size() - offset);
                if (length > 0 && failed[0] == null) {
                  try {
                    file.seek(offset);
                    file.write(page, 0, length);
                  } catch (IOException e) {
                    failed[0] = e;
                  }
                }
              });
      if (failed[0] != null) {
        throw failed[0];
      }
    }
  }
}
