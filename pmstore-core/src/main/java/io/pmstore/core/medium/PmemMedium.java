package io.pmstore.core.medium;

import io.pmstore.PmStoreException;
import java.nio.file.Path;

/**
 * Persistent memory: files mapped shared, made durable by cache-line write-back and fence. On
 * another file system, such as tmpfs, it emulates persistent memory, and its contents survive the
 * process.
 */
public final class PmemMedium extends DirectoryMedium {
  private static final int CACHE_LINE = 64;

  /**
   * Creates the medium; its files are accessible to their owner only.
   *
   * @param directory an existing directory
   * @throws io.pmstore.PmStoreException if libpmem is not installed
   */
  public PmemMedium(Path directory) {
    this(directory, AccessRights.OWNER);
  }

  /**
   * Creates the medium.
   *
   * @param directory an existing directory
   * @param rights of the files that it creates
   * @throws io.pmstore.PmStoreException if libpmem is not installed
   */
  public PmemMedium(Path directory, AccessRights rights) {
    super(directory, rights);
    PmemLibrary.require();
  }

  /**
   * Checks that libpmem is installed.
   *
   * @throws io.pmstore.PmStoreException if it is not
   */
  public static void requireLibrary() {
    PmemLibrary.require();
  }

  /** Returns true if libpmem is installed. */
  public static boolean hasLibrary() {
    try {
      PmemLibrary.require();
      return true;
    } catch (PmStoreException e) {
      System.getLogger(PmemMedium.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              () -> "persistent memory is used as ordinary files: " + e.getMessage());
      return false;
    }
  }

  @Override
  public boolean storesInPlace() {
    return true;
  }

  @Override
  public int writeBackUnit() {
    return CACHE_LINE;
  }

  @Override
  MediumFile wrap(PosixFile file) {
    return new PmemMediumFile(file);
  }
}
