package io.pmstore.core.medium;

import java.nio.file.Path;

/**
 * Ordinary files: written with {@code pwrite} and made durable with {@code fdatasync}. They are
 * mapped privately, so that the kernel never writes a heap page before the log records of its
 * changes are durable.
 */
public final class FileMedium extends DirectoryMedium {
  private static final int PAGE = 4096;

  /**
   * Creates the medium; its files are accessible to their owner only.
   *
   * @param directory an existing directory
   */
  public FileMedium(Path directory) {
    this(directory, AccessRights.OWNER);
  }

  /**
   * Creates the medium.
   *
   * @param directory an existing directory
   * @param rights of the files that it creates
   */
  public FileMedium(Path directory, AccessRights rights) {
    super(directory, rights);
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
