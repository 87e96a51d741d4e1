package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.core.medium.AccessRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The directories of an open store that are not its own; none, one or two. */
final class OwnedDirectories implements StoreHeaderFile.Follower {
  // With each, whether the header that was read names it.
  private final Map<OwnedDirectory, Boolean> directories = new LinkedHashMap<>();

  private OwnedDirectories() {}

  /**
   * Locks the directories. Changes nothing.
   *
   * @param store the store's directory, for messages
   * @param owners of the directories; two of them may be of one directory
   * @param found the header as it was read
   * @param rights of marks that are made; null to read only
   * @throws io.pmstore.StoreLockedException if the store is open by another copy of its directory
   */
  static OwnedDirectories lock(
      Path store, List<DirectoryOwner> owners, StoreHeader found, @Nullable AccessRights rights)
      throws IOException {
    OwnedDirectories all = new OwnedDirectories();
    try {
      for (DirectoryOwner owner : owners) {
        OwnedDirectory known = all.find(owner.directory());
        OwnedDirectory directory =
            known == null ? OwnedDirectory.lock(store, owner, rights) : known;
        all.directories.merge(directory, owner.isRecorded(found), Boolean::logicalOr);
      }
      return all;
    } catch (Throwable e) {
      closeAfter(e, all);
      throw e;
    }
  }

  private @Nullable OwnedDirectory find(Path directory) throws IOException {
    for (OwnedDirectory one : directories.keySet()) {
      if (Files.isSameFile(one.directory(), directory)) {
        return one;
      }
    }
    return null;
  }

  /**
   * Checks that no other copy of the store's header has written there. Changes nothing.
   *
   * @throws io.pmstore.StoreDamagedException if one has
   */
  void check(StoreHeaderFile header) throws IOException {
    for (Map.Entry<OwnedDirectory, Boolean> one : directories.entrySet()) {
      one.getKey().check(header, one.getValue());
    }
  }

  /** Makes the directories the store's. */
  void claim(StoreHeader current) throws IOException {
    for (OwnedDirectory directory : directories.keySet()) {
      directory.claim(current);
    }
  }

  @Override
  public void written(StoreHeader header) throws IOException {
    for (OwnedDirectory directory : directories.keySet()) {
      directory.written(header);
    }
  }

  @Override
  public void close() throws IOException {
    @Nullable IOException failure = null;
    for (OwnedDirectory directory : directories.keySet()) {
      try {
        directory.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
