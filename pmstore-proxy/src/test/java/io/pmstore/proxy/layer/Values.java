package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A property of each value type, in an interface. */
@Persistent
public interface Values {
  @Nullable Boolean getFlag();

  void setFlag(@Nullable Boolean value);

  @Nullable Byte getTiny();

  void setTiny(@Nullable Byte value);

  @Nullable Short getSmall();

  void setSmall(@Nullable Short value);

  @Nullable Character getLetter();

  void setLetter(@Nullable Character value);

  @Nullable Integer getNumber();

  void setNumber(@Nullable Integer value);

  @Nullable Long getBig();

  void setBig(@Nullable Long value);

  @Nullable Float getFraction();

  void setFraction(@Nullable Float value);

  @Nullable Double getReal();

  void setReal(@Nullable Double value);

  @Nullable String getText();

  void setText(@Nullable String value);

  @Nullable BigInteger getWhole();

  void setWhole(@Nullable BigInteger value);

  @Nullable BigDecimal getDecimal();

  void setDecimal(@Nullable BigDecimal value);

  @Nullable UUID getUuid();

  void setUuid(@Nullable UUID value);

  @Nullable DayOfWeek getDay();

  void setDay(@Nullable DayOfWeek value);

  Order.@Nullable Side getSide();

  void setSide(Order.@Nullable Side value);

  @Nullable Instant getInstant();

  void setInstant(@Nullable Instant value);

  @Nullable Duration getDuration();

  void setDuration(@Nullable Duration value);

  @Nullable LocalDate getDate();

  void setDate(@Nullable LocalDate value);

  @Nullable LocalTime getTime();

  void setTime(@Nullable LocalTime value);

  @Nullable LocalDateTime getDateTime();

  void setDateTime(@Nullable LocalDateTime value);

  @Nullable OffsetDateTime getOffsetDateTime();

  void setOffsetDateTime(@Nullable OffsetDateTime value);

  @Nullable OffsetTime getOffsetTime();

  void setOffsetTime(@Nullable OffsetTime value);

  @Nullable ZonedDateTime getZonedDateTime();

  void setZonedDateTime(@Nullable ZonedDateTime value);

  @Nullable ZoneId getZone();

  void setZone(@Nullable ZoneId value);

  @Nullable ZoneOffset getOffset();

  void setOffset(@Nullable ZoneOffset value);

  @Nullable Year getYear();

  void setYear(@Nullable Year value);

  @Nullable YearMonth getYearMonth();

  void setYearMonth(@Nullable YearMonth value);

  @Nullable MonthDay getMonthDay();

  void setMonthDay(@Nullable MonthDay value);

  @Nullable Period getPeriod();

  void setPeriod(@Nullable Period value);

  @Nullable Object getAnything();

  void setAnything(@Nullable Object value);

  @Nullable Comparable<?> getComparable();

  void setComparable(@Nullable Comparable<?> value);

  @Nullable Number getCount();

  void setCount(@Nullable Number value);
}
