package io.pmstore.core.medium;

import io.pmstore.GroupAccess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The access rights of the files that a store creates: the owner's, and perhaps the group's. A file
 * is created for the owner only and then opened to the group. So the umask removes nothing, and no
 * user ever has more rights than in the end.
 *
 * @param group what the group may do
 */
public record AccessRights(GroupAccess group) {
  /** Access for the owner only. */
  public static final AccessRights OWNER = new AccessRights(GroupAccess.NONE);

  /** The mode with which every file is created. */
  static final int FILE_MODE = 0600;

  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNERS_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  /**
   * Returns the rights for new files of a store: those of an existing file, so that all files of
   * the store are alike.
   *
   * @param file a file of the store; need not exist
   * @param group what the group may do if the file does not exist
   */
  public static AccessRights ofStore(Path file, GroupAccess group) throws IOException {
    if (!Files.exists(file)) {
      return new AccessRights(group);
    }
    Set<PosixFilePermission> found = Files.getPosixFilePermissions(file);
    if (!found.contains(PosixFilePermission.GROUP_READ)) {
      return OWNER;
    }
    return new AccessRights(
        found.contains(PosixFilePermission.GROUP_WRITE) ? GroupAccess.WRITE : GroupAccess.READ);
  }

  /** Returns the final mode of a file. */
  int fileMode() {
    return switch (group) {
      case NONE -> FILE_MODE;
      case READ -> 0640;
      case WRITE -> 0660;
    };
  }

  /**
   * Creates a directory and its missing parents. When this returns, the directory's name is
   * durable, as {@link Directories#create} says. An existing directory keeps its rights; created
   * parents get the process's default.
   */
  public void createDirectories(Path directory) throws IOException {
    Directories.create(directory, this::createDirectory);
  }

  /** Creates a directory in an existing one. */
  public void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory, OWNERS_DIRECTORY);
    grant(directory, true);
  }

  /** Opens a file for writing, and creates it if it does not exist. */
  public FileChannel openToWrite(Path file) throws IOException {
    try {
      FileChannel made =
          FileChannel.open(
              file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNERS_FILE);
      grant(file, false);
      return made;
    } catch (FileAlreadyExistsException e) {
      return FileChannel.open(file, StandardOpenOption.WRITE);
    }
  }

  /**
   * Applies these rights to an existing file that other code has created, such as a native library.
   */
  public void applyTo(Path file) throws IOException {
    Files.setPosixFilePermissions(file, permissions(false));
  }

  private void grant(Path made, boolean isDirectory) throws IOException {
    if (group != GroupAccess.NONE) {
      Files.setPosixFilePermissions(made, permissions(isDirectory));
    }
  }

  private Set<PosixFilePermission> permissions(boolean ofDirectory) {
    Set<PosixFilePermission> all =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    if (ofDirectory) {
      all.add(PosixFilePermission.OWNER_EXECUTE);
    }
    if (group != GroupAccess.NONE) {
      all.add(PosixFilePermission.GROUP_READ);
      if (ofDirectory) {
        all.add(PosixFilePermission.GROUP_EXECUTE);
      }
    }
    if (group == GroupAccess.WRITE) {
      all.add(PosixFilePermission.GROUP_WRITE);
    }
    return all;
  }
}
