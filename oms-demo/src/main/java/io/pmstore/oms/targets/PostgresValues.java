package io.pmstore.oms.targets;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** PostgreSQL keeps decimals as {@code numeric} and times as {@code timestamptz}. */
final class PostgresValues implements SqlValues {
  @Override
  public void setDecimal(
      PreparedStatement statement, int index, @Nullable BigDecimal value, int scale)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.NUMERIC);
    } else {
      statement.setBigDecimal(index, value);
    }
  }

  @Override
  public @Nullable BigDecimal getDecimal(ResultSet row, int column, int scale) throws SQLException {
    return row.getBigDecimal(column);
  }

  @Override
  public void setTime(PreparedStatement statement, int index, Instant value) throws SQLException {
    statement.setObject(index, value.atOffset(ZoneOffset.UTC));
  }

  @Override
  public Instant getTime(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
