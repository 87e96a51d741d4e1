package io.pmstore.cli.command;

import io.pmstore.PmStoreException;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.PathException;
import io.pmstore.cli.text.Screen;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The reason of a failed command, in one line. */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception of a command that cannot go on.
   *
   * @param message what was found, what was expected, what to do
   */
  Failure(String message) {
    super(message);
  }

  /**
   * Prints what went wrong and what to do; returns the exit code. After a signal a command fails
   * because a clean-up takes its files away. Then this method prints at most the stack trace, and
   * the process ends with the signal.
   *
   * @param stacktrace true if the user has asked for the stack trace
   */
  static int report(Screen screen, Throwable e, boolean stacktrace, boolean json) {
    if (!AtTheEnd.hasBegun()) {
      print(screen, e, json);
    }
    if (stacktrace) {
      e.printStackTrace(screen.err());
    }
    return PmCommand.FAILED;
  }

  private static void print(Screen screen, Throwable e, boolean json) {
    if (json) {
      Json.printLine(
          screen.err(), Json.object("error", message(e), "exception", e.getClass().getName()));
    } else {
      screen.err().println("pm: " + message(e));
    }
  }

  private static String message(Throwable e) {
    return switch (e) {
      case Failure _, PmStoreException _, PathException _, IllegalArgumentException _ ->
          oneLine(e.getMessage());
      case java.nio.file.FileSystemException file ->
          "%s: %s; check the path and its rights"
              .formatted(
                  file.getFile(),
                  file.getReason() == null ? file.getClass().getSimpleName() : file.getReason());
      case IOException _ -> oneLine(e.getMessage());
      case OutOfMemoryError _ ->
          "the memory is too small (%s); give pm more, for instance with PM_JAVA_OPTIONS=-Xmx8g"
              .formatted(oneLine(e.getMessage()));
      case StackOverflowError _ ->
          "the stack is too small for what is nested here; give pm a larger one, for instance with"
              + " PM_JAVA_OPTIONS=-Xss256m";
      case InternalError _ -> // what reading a mapped file gives where the disk cannot be read
          "a part of the store cannot be read: %s; look for errors of the disk, and restore the store from a backup"
              .formatted(oneLine(e.getMessage()));
      default ->
          "%s: %s; this should not happen: run the command again with --stacktrace, and report it"
              .formatted(e.getClass().getSimpleName(), oneLine(e.getMessage()));
    };
  }

  static String oneLine(@Nullable String message) {
    return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
