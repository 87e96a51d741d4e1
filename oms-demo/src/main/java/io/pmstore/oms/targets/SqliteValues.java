package io.pmstore.oms.targets;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * SQLite has no decimals and no times: both are integers, in units of the last decimal and in
 * milliseconds since 1970.
 */
final class SqliteValues implements SqlValues {
  @Override
  public void setDecimal(
      PreparedStatement statement, int index, @Nullable BigDecimal value, int scale)
      throws SQLException {
    if (value == null) {
      statement.setNull(index, Types.INTEGER);
    } else {
      statement.setLong(index, value.setScale(scale).unscaledValue().longValueExact());
    }
  }

  @Override
  public @Nullable BigDecimal getDecimal(ResultSet row, int column, int scale) throws SQLException {
    long unscaled = row.getLong(column);
    return row.wasNull() ? null : BigDecimal.valueOf(unscaled, scale);
  }

  @Override
  public void setTime(PreparedStatement statement, int index, Instant value) throws SQLException {
    statement.setLong(index, value.toEpochMilli());
  }

  @Override
  public Instant getTime(ResultSet row, int column) throws SQLException {
    return Instant.ofEpochMilli(row.getLong(column));
  }
}
