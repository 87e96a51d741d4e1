package io.pmstore.cli.command;

import io.pmstore.PmStoreException;
import io.pmstore.cli.json.Json;
import io.pmstore.cli.path.PathException;
import io.pmstore.cli.text.Screen;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
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

  static int report(Screen screen, Exception e, boolean stacktrace, boolean json) {
    if (json) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("error", message(e));
      error.put("exception", e.getClass().getName());
      Json.printLine(screen.err(), error);
    } else {
      screen.err().println("pm: " + message(e));
    }
    if (stacktrace) {
      e.printStackTrace(screen.err());
    }
    return PmCommand.FAILED;
  }

  private static String message(Exception e) {
    return switch (e) {
      case Failure _, PmStoreException _, PathException _, IllegalArgumentException _ ->
          oneLine(e.getMessage());
      case java.nio.file.FileSystemException file ->
          "%s: %s; check the path and its rights"
              .formatted(
                  file.getFile(),
                  file.getReason() == null ? file.getClass().getSimpleName() : file.getReason());
      case IOException _ -> oneLine(e.getMessage());
      default ->
          "%s: %s; this should not happen: run the command again with --stacktrace, and report it"
              .formatted(e.getClass().getSimpleName(), oneLine(e.getMessage()));
    };
  }

  static String oneLine(@Nullable String message) {
    return message == null ? "no message" : message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
