package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A directory in which nothing changes: files are opened for reading and mapped privately. Methods
 * that would change them throw {@link UnsupportedOperationException}.
 */
public final class ReadOnlyMedium extends ForwardingMedium {
  private final Map<String, String> others;

  /**
   * Creates the medium.
   *
   * @param directory an existing directory
   */
  public ReadOnlyMedium(Path directory) {
    this(directory, Map.of());
  }

  /**
   * Creates a medium that opens some files in place of others.
   *
   * @param directory an existing directory
   * @param others the names of the files to open, by the names that they stand for
   */
  public ReadOnlyMedium(Path directory, Map<String, String> others) {
    super(new FileMedium(directory));
    this.others = Map.copyOf(others);
  }

  @Override
  public boolean storesInPlace() {
    return false;
  }

  @Override
  public MediumFile open(String name) throws IOException {
    Path path = directory().resolve(others.getOrDefault(name, name));
    return new ReadOnlyMediumFile(PosixFile.openForReading(path));
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
