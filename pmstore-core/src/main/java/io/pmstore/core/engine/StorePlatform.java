package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Checks the platform for engines that use files. */
public final class StorePlatform {
  private StorePlatform() {}

  /**
   * Throws if an engine that calls the C library cannot have a store in a directory.
   *
   * @param directory of the store; need not exist
   * @throws PmStoreException as {@link #requireFiles}, or if this JVM does not let pmstore call
   *     native functions
   */
  public static void require(Path directory) {
    requireFiles(directory);
    requireNativeAccess();
  }

  /**
   * Throws if no store can be in a directory on this system.
   *
   * @param directory of the store; need not exist
   * @throws PmStoreException if this is not Linux, or the directory is not in the default file
   *     system
   */
  public static void requireFiles(Path directory) {
    String system = System.getProperty("os.name");
    if (!system.equals("Linux")) {
      throw new PmStoreException(
          "pmstore's engines run on Linux, and this is "
              + system
              + "; run the program on Linux, in a container or a virtual machine, say");
    }
    if (!directory.getFileSystem().equals(FileSystems.getDefault())) {
      throw new PmStoreException(
          "%s is not in the default file system but in %s; a store needs real files"
              .formatted(directory, directory.getFileSystem()));
    }
  }

  private static void requireNativeAccess() {
    try {
      MemorySegment _ = NativeCalls.function("open");
    } catch (LinkageError e) { // a class that cannot be initialized, now or earlier
      Throwable reason = e;
      while (reason.getCause() != null) {
        reason = reason.getCause();
      }
      String module = StorePlatform.class.getModule().getName();
      throw new PmStoreException(
          "this JVM does not let pmstore call the C library: %s; start it with java --enable-native-access=%s"
              .formatted(reason.getMessage(), module == null ? "ALL-UNNAMED" : module),
          e);
    }
  }

  /**
   * Returns true if a path is that of a directory, false if there is nothing.
   *
   * @throws StoreFormatException if there is something else
   * @throws PmStoreException if this process cannot see what is there
   */
  public static boolean isDirectory(Path path) {
    try {
      if (Files.readAttributes(path, BasicFileAttributes.class).isDirectory()) {
        return true;
      }
    } catch (NoSuchFileException e) {
      if (Files.isSymbolicLink(path)) {
        throw new StoreFormatException(
            "%s is a symbolic link to a path where nothing is; make a directory there, or remove the link"
                .formatted(path));
      }
      return false;
    } catch (IOException e) {
      throw new PmStoreException(
          "cannot see whether there is a store in %s: %s; check the path and the rights of this user in each directory on it"
              .formatted(path, e),
          e);
    }
    throw new StoreFormatException(
        "%s is not a directory; a store is one: choose another path".formatted(path));
  }
}
