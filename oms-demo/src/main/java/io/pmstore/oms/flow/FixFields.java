package io.pmstore.oms.flow;

import io.pmstore.oms.domain.ExecType;
import io.pmstore.oms.domain.OrderStatus;
import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Scales;
import io.pmstore.oms.domain.Side;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import quickfix.FieldException;
import quickfix.FieldNotFound;
import quickfix.Message;
import quickfix.field.TransactTime;

/**
 * The fields of one message as values of the order management system, each refused with its tag and
 * what was expected.
 */
final class FixFields {
  private static final BigDecimal PRICE_LIMIT = BigDecimal.TEN.pow(12);
  private static final BigDecimal QUANTITY_LIMIT = BigDecimal.TEN.pow(12);

  private final Message message;

  FixFields(Message message) {
    this.message = message;
  }

  boolean has(int tag) {
    return message.isSetField(tag);
  }

  String text(int tag) throws UnusableMessageException {
    try {
      return message.getString(tag);
    } catch (FieldNotFound e) {
      throw missing(tag);
    }
  }

  void expect(int tag, String expected) throws UnusableMessageException {
    String found = text(tag);
    if (!found.equals(expected)) {
      throw new UnusableMessageException(
          "field %d is '%s'; expected '%s' as in the order".formatted(tag, found, expected));
    }
  }

  Side side() throws UnusableMessageException {
    return constant(quickfix.field.Side.FIELD, Side::ofCode);
  }

  OrderType orderType() throws UnusableMessageException {
    return constant(quickfix.field.OrdType.FIELD, OrderType::ofCode);
  }

  ExecType execType() throws UnusableMessageException {
    return constant(quickfix.field.ExecType.FIELD, ExecType::ofCode);
  }

  OrderStatus orderStatus() throws UnusableMessageException {
    return constant(quickfix.field.OrdStatus.FIELD, OrderStatus::ofCode);
  }

  BigDecimal price(int tag) throws UnusableMessageException {
    return scaled(tag, Scales.PRICE);
  }

  BigDecimal averagePrice() throws UnusableMessageException {
    return scaled(quickfix.field.AvgPx.FIELD, Scales.AVERAGE_PRICE);
  }

  long positiveQuantity(int tag) throws UnusableMessageException {
    long quantity = quantity(tag);
    if (quantity == 0) {
      throw new UnusableMessageException("field " + tag + " is 0; expected at least 1 share");
    }
    return quantity;
  }

  long quantity(int tag) throws UnusableMessageException {
    BigDecimal value = number(tag);
    if (value.signum() < 0
        || value.compareTo(QUANTITY_LIMIT) >= 0
        || value.stripTrailingZeros().scale() > 0) {
      throw new UnusableMessageException(
          "field %d is %s; expected whole shares from 0 to below %s"
              .formatted(tag, text(tag), QUANTITY_LIMIT.toPlainString()));
    }
    return value.longValueExact();
  }

  Instant time() throws UnusableMessageException {
    try {
      LocalDateTime utc = message.getUtcTimeStamp(TransactTime.FIELD);
      return utc.toInstant(ZoneOffset.UTC).truncatedTo(ChronoUnit.MILLIS);
    } catch (FieldNotFound e) {
      throw missing(TransactTime.FIELD);
    } catch (FieldException e) {
      throw new UnusableMessageException(
          "field %d is '%s'; expected a time in UTC"
              .formatted(TransactTime.FIELD, text(TransactTime.FIELD)));
    }
  }

  private static UnusableMessageException missing(int tag) {
    return new UnusableMessageException(
        "field " + tag + " is missing; the order management system needs it");
  }

  private BigDecimal scaled(int tag, int scale) throws UnusableMessageException {
    BigDecimal value = number(tag);
    if (value.stripTrailingZeros().scale() > scale || value.abs().compareTo(PRICE_LIMIT) >= 0) {
      throw new UnusableMessageException(
          "field %d is %s; expected at most %d decimals and less than %s"
              .formatted(tag, text(tag), scale, PRICE_LIMIT.toPlainString()));
    }
    return value.setScale(scale);
  }

  private BigDecimal number(int tag) throws UnusableMessageException {
    String found = text(tag);
    try {
      return new BigDecimal(found);
    } catch (NumberFormatException e) {
      throw new UnusableMessageException("field " + tag + " is '" + found + "'; expected a number");
    }
  }

  private <T> T constant(int tag, CodeLookup<T> lookup) throws UnusableMessageException {
    String found = text(tag);
    if (found.length() != 1) {
      throw new UnusableMessageException(
          "field " + tag + " is '" + found + "'; expected one character");
    }
    try {
      return lookup.ofCode(found.charAt(0));
    } catch (IllegalArgumentException e) {
      throw new UnusableMessageException(String.valueOf(e.getMessage()));
    }
  }

  private interface CodeLookup<T> {
    T ofCode(char code);
  }
}
