package io.pmstore.oms.flow;

import io.pmstore.oms.domain.OrderType;
import io.pmstore.oms.domain.Side;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import quickfix.DataDictionary;
import quickfix.FieldException;
import quickfix.FieldNotFound;
import quickfix.IncorrectDataFormat;
import quickfix.IncorrectTagValue;
import quickfix.InvalidMessage;
import quickfix.Message;
import quickfix.ValidationSettings;
import quickfix.field.BodyLength;
import quickfix.field.MsgType;
import quickfix.fix44.ExecutionReport;
import quickfix.fix44.NewOrderSingle;

/**
 * Turns FIX 4.4 messages, one per line, into a flow. A NewOrderSingle inserts an order; an
 * ExecutionReport changes the order that its ClOrdID(11), or its OrigClOrdID(41), names. Fields are
 * separated by SOH, or by {@code |} in a line without SOH. Empty lines and lines that begin with
 * {@code #} are passed over. Any other line is reported with its number and skipped.
 *
 * <p>For one thread.
 */
public final class FixReader {
  private static final char SOH = '\u0001';

  private final DataDictionary dictionary = FixDictionary.fix44();
  private final ValidationSettings settings = FixDictionary.settings();
  private final Map<String, KnownOrder> ordersByClientId = new HashMap<>();
  private final List<FlowEvent> events = new ArrayList<>();
  private final List<FlowProblem> problems = new ArrayList<>();
  private long line;
  private int orders;

  /**
   * Reads the next line.
   *
   * @param text the line, without its end
   * @return true if it gave an execution report, or nothing was in it; false if it was skipped as a
   *     problem
   */
  public boolean read(String text) {
    line++;
    if (text.isBlank() || text.startsWith("#")) {
      return true;
    }
    try {
      events.add(parse(text.indexOf(SOH) >= 0 ? text : text.strip().replace('|', SOH)));
      return true;
    } catch (UnusableMessageException
        | InvalidMessage
        | IncorrectTagValue
        | FieldNotFound
        | IncorrectDataFormat e) {
      problems.add(new FlowProblem(line, reason(e)));
    }
    return false;
  }

  /** How many execution reports were read so far. */
  public int reports() {
    return events.size();
  }

  /** The problems so far: the skipped lines, first to last. */
  public List<FlowProblem> problems() {
    return List.copyOf(problems);
  }

  /** The flow that was read so far. */
  public OrderFlow flow() {
    return new OrderFlow(events, orders, problems);
  }

  private FlowEvent parse(String text)
      throws InvalidMessage,
          IncorrectTagValue,
          FieldNotFound,
          IncorrectDataFormat,
          UnusableMessageException {
    Message message = decode(text);
    FixFields fields = new FixFields(message);
    return message.getHeader().getString(MsgType.FIELD).equals(NewOrderSingle.MSGTYPE)
        ? newOrder(fields)
        : update(fields);
  }

  private Message decode(String text)
      throws InvalidMessage,
          IncorrectTagValue,
          FieldNotFound,
          IncorrectDataFormat,
          UnusableMessageException {
    try {
      Message message = new Message(text, dictionary, settings, true);
      FieldException damaged = message.getException();
      if (damaged != null) {
        throw damaged;
      }
      checkBodyLength(text, message);
      String type = message.getHeader().getString(MsgType.FIELD);
      if (!type.equals(NewOrderSingle.MSGTYPE) && !type.equals(ExecutionReport.MSGTYPE)) {
        throw new UnusableMessageException(
            "MsgType(35) is '%s'; expected D (NewOrderSingle) or 8 (ExecutionReport)"
                .formatted(type));
      }
      dictionary.validate(message, settings);
      return message;
    } catch (RuntimeException e) {
      // The library tells some defects of a message, such as a wrong version, by unchecked
      // exceptions.
      throw new UnusableMessageException(reason(e));
    }
  }

  /** QuickFIX/J checks the length only when it cuts messages out of a stream. */
  private static void checkBodyLength(String text, Message message)
      throws FieldNotFound, UnusableMessageException {
    String stated = message.getHeader().getString(BodyLength.FIELD);
    int afterLength = text.indexOf(SOH, text.indexOf(SOH) + 1) + 1;
    int body = text.lastIndexOf(SOH + "10=") + 1 - afterLength;
    if (!stated.equals(Integer.toString(body))) {
      throw new UnusableMessageException(
          "BodyLength(9) is %s; expected %d as counted".formatted(stated, body));
    }
  }

  private FlowEvent newOrder(FixFields fields) throws UnusableMessageException {
    String clOrdId = fields.text(quickfix.field.ClOrdID.FIELD);
    if (ordersByClientId.containsKey(clOrdId)) {
      throw new UnusableMessageException(
          "ClOrdID(11) '" + clOrdId + "' was used before; expected a new one");
    }
    OrderType type = fields.orderType();
    FlowEvent.NewOrder event =
        new FlowEvent.NewOrder(
            orders + 1L,
            "N-" + clOrdId,
            clOrdId,
            fields.text(quickfix.field.Symbol.FIELD),
            fields.side(),
            type,
            type == OrderType.LIMIT ? fields.price(quickfix.field.Price.FIELD) : null,
            fields.positiveQuantity(quickfix.field.OrderQty.FIELD),
            fields.text(quickfix.field.Account.FIELD),
            fields.time());
    orders++;
    ordersByClientId.put(clOrdId, new KnownOrder(event));
    return event;
  }

  private FlowEvent update(FixFields fields) throws UnusableMessageException {
    String clOrdId = fields.text(quickfix.field.ClOrdID.FIELD);
    KnownOrder order = ordersByClientId.get(clOrdId);
    if (order == null && fields.has(quickfix.field.OrigClOrdID.FIELD)) {
      order = ordersByClientId.get(fields.text(quickfix.field.OrigClOrdID.FIELD));
    }
    if (order == null) {
      throw new UnusableMessageException(
          "unknown order: no NewOrderSingle before this line has ClOrdID(11) '" + clOrdId + "'");
    }
    FlowEvent.Update update = order.update(fields);
    ordersByClientId.put(clOrdId, order);
    return update;
  }

  /**
   * Reduces a failure to one line without the message it was found in, which the line number
   * already names.
   */
  private static String reason(Exception e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    int quoted = text.indexOf(" in message");
    if (quoted < 0) {
      quoted = text.indexOf(" in 8=");
    }
    String brief = quoted > 0 ? text.substring(0, quoted) : text;
    String detail =
        e instanceof FieldNotFound missing ? "field " + missing.field + " is missing: " : "";
    return detail + brief.replace(SOH, '|').replace('\n', ' ');
  }

  /** The state of an order that the reader needs to read its next report. */
  private static final class KnownOrder {
    private final long id;
    private final String symbol;
    private final Side side;
    private final OrderType type;
    private @Nullable BigDecimal price;
    private long quantity;
    private int reports = 1;

    KnownOrder(FlowEvent.NewOrder order) {
      this.id = order.orderId();
      this.symbol = order.symbol();
      this.side = order.side();
      this.type = order.type();
      this.price = order.price();
      this.quantity = order.quantity();
    }

    FlowEvent.Update update(FixFields fields) throws UnusableMessageException {
      fields.expect(quickfix.field.Symbol.FIELD, symbol);
      fields.expect(quickfix.field.Side.FIELD, String.valueOf(side.code()));
      FlowEvent.Update update =
          ExecutionReportReader.read(fields, id, reports, type, price, quantity);
      if (update.replacesTerms()) {
        price = update.price();
        quantity = update.quantity();
      }
      reports++;
      return update;
    }
  }
}
