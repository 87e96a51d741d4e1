package io.pmstore.core.medium;

import java.nio.file.Path;

/**
 * Ordinary files: written with {@code pwrite}, made durable with {@code fdatasync}, mapped
 * privately, so that the kernel never writes a heap page before the log records of its changes are
 * durable.
 */
public final class FileMedium extends DirectoryMedium {
  private static final int PAGE = 4096;

  /**
   * Creates the medium.
   *
   * @param directory where the files are; it is there
   */
  public FileMedium(Path directory) {
    super(directory);
  }

  @Override
  public boolean storesInPlace() {
    return false;
  }

  @Override
  public int writeBackUnit() {
    return PAGE;
  }

  @Override
  MediumFile wrap(PosixFile file) {
    return new FileMediumFile(file);
  }
}
