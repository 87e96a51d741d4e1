package io.pmstore.core.medium;

import io.pmstore.PmStoreException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Persistent memory: files mapped shared, made durable by cache-line write-back and fence. On a
 * file system that is not on persistent memory, such as tmpfs, it is an emulation that survives the
 * process.
 */
public final class PmemMedium extends DirectoryMedium {
  private static final int CACHE_LINE = 64;
  private static final Logger LOG = LoggerFactory.getLogger(PmemMedium.class);

  /**
   * Creates the medium.
   *
   * @param directory where the files are; it is there
   * @throws io.pmstore.PmStoreException if libpmem is not installed
   */
  public PmemMedium(Path directory) {
    super(directory);
    PmemLibrary.require();
  }

  /**
   * Makes sure that the library is there through which persistent memory is written.
   *
   * @throws io.pmstore.PmStoreException if libpmem is not installed
   */
  public static void requireLibrary() {
    PmemLibrary.require();
  }

  /**
   * Says whether the library is there through which persistent memory is written.
   *
   * @return true if it is
   */
  public static boolean hasLibrary() {
    try {
      PmemLibrary.require();
      return true;
    } catch (PmStoreException e) {
      LOG.info("persistent memory is used as ordinary files: {}", e.getMessage());
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
