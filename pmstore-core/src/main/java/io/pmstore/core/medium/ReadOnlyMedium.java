package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;

/**
 * A directory of which nothing is changed: its files are opened for reading and mapped privately.
 * Whatever would change them throws {@link UnsupportedOperationException}.
 */
public final class ReadOnlyMedium implements Medium {
  private final FileMedium medium;

  /**
   * Creates the medium.
   *
   * @param directory where the files are; it is there
   */
  public ReadOnlyMedium(Path directory) {
    medium = new FileMedium(directory);
  }

  @Override
  public Path directory() {
    return medium.directory();
  }

  @Override
  public boolean storesInPlace() {
    return false;
  }

  @Override
  public int writeBackUnit() {
    return medium.writeBackUnit();
  }

  @Override
  public SortedSet<String> list() throws IOException {
    return medium.list();
  }

  @Override
  public MediumFile open(String name) throws IOException {
    return new ReadOnlyMediumFile(PosixFile.openForReading(directory().resolve(name)));
  }

  @Override
  public MediumFile create(String name) {
    throw refused();
  }

  @Override
  public void rename(String from, String to) {
    throw refused();
  }

  @Override
  public void delete(String name) {
    throw refused();
  }

  @Override
  public void syncDirectory() {
    throw refused();
  }

  private UnsupportedOperationException refused() {
    return new UnsupportedOperationException(directory() + " is open for reading only");
  }
}
