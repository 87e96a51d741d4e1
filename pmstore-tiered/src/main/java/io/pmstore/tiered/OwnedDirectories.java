package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.core.medium.AccessRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The directories of an open store that are not its own; none, one or two. */
final class OwnedDirectories implements StoreHeaderFile.Follower {
  private final List<OwnedDirectory> directories = new ArrayList<>();
  private final List<Boolean> recorded = new ArrayList<>();

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
        int known = all.indexOf(owner.directory());
        if (known < 0) {
          all.directories.add(OwnedDirectory.lock(store, owner, rights));
          all.recorded.add(owner.isRecorded(found));
        } else if (owner.isRecorded(found)) {
          all.recorded.set(known, true);
        }
      }
      return all;
    } catch (Throwable e) {
      closeAfter(e, all);
      throw e;
    }
  }

  private int indexOf(Path directory) throws IOException {
    for (int i = 0; i < directories.size(); i++) {
      if (Files.isSameFile(directories.get(i).directory(), directory)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Checks that no other copy of the store's header has written there. Changes nothing.
   *
   * @throws io.pmstore.StoreDamagedException if one has
   */
  void check(StoreHeaderFile header) throws IOException {
    for (int i = 0; i < directories.size(); i++) {
      directories.get(i).check(header, recorded.get(i));
    }
  }

  /** Makes the directories the store's. */
  void claim(StoreHeader current) throws IOException {
    for (OwnedDirectory directory : directories) {
      directory.claim(current);
    }
  }

  @Override
  public void written(StoreHeader header) throws IOException {
    for (OwnedDirectory directory : directories) {
      directory.written(header);
    }
  }

  @Override
  public void close() throws IOException {
    @Nullable IOException failure = null;
    for (OwnedDirectory directory : directories) {
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
