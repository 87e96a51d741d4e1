package io.pmstore.cli.command;

import io.pmstore.core.medium.FileMedium;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * A text file of the owner's that gets its name when it is whole and durable. Until then it has
 * another name in the same directory; a signal that ends the process deletes it. Not thread-safe.
 */
final class NewFile implements AutoCloseable {
  private final Path file;
  private final Path directory;
  private final Path unfinished;
  private final AtTheEnd atTheEnd;
  private final FileChannel channel;
  private final PrintWriter writer;

  private NewFile(Path file, Path directory, Path unfinished) throws IOException {
    this.file = file;
    this.directory = directory;
    this.unfinished = unfinished;
    this.channel = FileChannel.open(unfinished, StandardOpenOption.WRITE);
    this.writer =
        new PrintWriter(
            new BufferedWriter(
                Channels.newWriter(channel, StandardCharsets.UTF_8.newEncoder(), -1)));
    this.atTheEnd = new AtTheEnd(() -> delete(unfinished));
  }

  /**
   * Creates the file under another name.
   *
   * @throws Failure if a file has the name already
   */
  static NewFile create(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw taken(file);
    }
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent()); // the root exists
    Path unfinished = unfinishedIn(directory);
    try {
      return new NewFile(file, directory, unfinished);
    } catch (Throwable e) {
      Files.delete(unfinished);
      throw e;
    }
  }

  /** Creates a file that only its owner may use. */
  private static Path unfinishedIn(Path directory) throws IOException {
    try {
      return Files.createTempFile(directory, "pm-", ".unfinished");
    } catch (FileSystemException e) { // of a name that the user does not know
      throw new FileSystemException(
          directory.toString(), null, "no file can be made there: " + e.getClass().getSimpleName());
    }
  }

  private static Failure taken(Path file) {
    return new Failure(file + " exists already; choose another file, or delete this one");
  }

  /** Returns what writes to the file. */
  PrintWriter writer() {
    return writer;
  }

  /**
   * Makes the file durable and gives it its name.
   *
   * @throws Failure if it could not be written, or a file has the name by now
   */
  void finish() throws IOException {
    if (writer.checkError()) { // flushes it
      throw new Failure(file + " could not be written completely; check the space on its disk");
    }
    channel.force(true);
    giveName();
    try {
      new FileMedium(directory).syncDirectory();
    } catch (Throwable e) {
      Files.delete(file);
      throw e;
    }
  }

  private void giveName() throws IOException {
    try {
      Files.createLink(file, unfinished); // a rename would replace a file
    } catch (FileAlreadyExistsException e) {
      throw taken(file);
    } catch (UnsupportedOperationException | FileSystemException e) { // no links to files here
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw taken(file);
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Deletes what has not got its name. */
  @Override
  public void close() {
    try {
      writer.close();
    } finally {
      delete(unfinished);
      atTheEnd.close();
    }
  }

  private static void delete(Path path) {
    try {
      boolean _ = Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
