package io.pmstore.core.medium;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;

/** A medium that forwards to another one: the base of media that record, fail or refuse calls. */
public abstract class ForwardingMedium implements Medium {
  protected final Medium medium;

  protected ForwardingMedium(Medium medium) {
    this.medium = medium;
  }

  @Override
  public Path directory() {
    return medium.directory();
  }

  @Override
  public boolean storesInPlace() {
    return medium.storesInPlace();
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
  public void rename(String from, String to) throws IOException {
    medium.rename(from, to);
  }

  @Override
  public void delete(String name) throws IOException {
    medium.delete(name);
  }

  @Override
  public void syncDirectory() throws IOException {
    medium.syncDirectory();
  }
}
