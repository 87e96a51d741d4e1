package io.pmstore.oms.targets;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a database keeps decimals and times exactly. */
interface SqlValues {
  void setDecimal(PreparedStatement statement, int index, @Nullable BigDecimal value, int scale)
      throws SQLException;

  @Nullable BigDecimal getDecimal(ResultSet row, int column, int scale) throws SQLException;

  void setTime(PreparedStatement statement, int index, Instant value) throws SQLException;

  Instant getTime(ResultSet row, int column) throws SQLException;
}
