package io.pmstore.oms.targets;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * SQLite, in write-ahead-log mode, with one connection: SQLite has one writer at a time whatever is
 * done.
 */
public final class SqliteTarget implements OmsTarget {
  /** The name of the database file. */
  public static final String FILE_NAME = "oms.sqlite";

  private final TargetSettings settings;

  /**
   * Creates the target.
   *
   * @param settings how it will be opened
   */
  public SqliteTarget(TargetSettings settings) {
    this.settings = settings;
  }

  @Override
  public OmsService open() {
    Path file = settings.directory().resolve(FILE_NAME);
    try {
      Files.createDirectories(settings.directory());
    } catch (IOException e) {
      throw new TargetException("cannot create " + settings.directory(), e);
    }
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("sqlite");
    pool.setDataSource(SqliteDatabase.source(file, settings.relaxed()));
    pool.setMaximumPoolSize(1);
    pool.setAutoCommit(false);
    // A retired connection would take its prepared statements with it.
    pool.setMaxLifetime(0);
    return SqliteService.open(new HikariDataSource(pool), file, settings.relaxed());
  }

  @Override
  public DiskUse diskUse() {
    return TargetKind.SQLITE.diskUse(settings.directory());
  }
}
