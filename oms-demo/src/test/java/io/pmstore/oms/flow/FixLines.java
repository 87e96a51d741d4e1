package io.pmstore.oms.flow;

import java.nio.charset.StandardCharsets;

/** FIX messages written by hand, with their length and checksum right. */
public final class FixLines {
  public static final String NEW_ORDER_HEADER = "35=D|49=C|56=B|34=1|52=20260105-13:00:00.000";
  public static final String REPORT_HEADER = "35=8|49=X|56=B|34=1|52=20260105-13:00:00.000";
  public static final String NEW_ORDER_BODY =
      "11=C1|1=A1|55=ABCD3|54=1|60=20260105-13:00:00.123|38=300|40=2|44=10.05";
  public static final String REPORT_BODY =
      "37=X1|17=E1|11=C1|150=F|39=1|55=ABCD3|54=1|32=100|31=10.04|151=200|14=100|6=10.04|60=20260105-13:00:01.456";

  private FixLines() {}

  public static String newOrder(String body) {
    return message(NEW_ORDER_HEADER + "|" + body);
  }

  public static String report(String body) {
    return message(REPORT_HEADER + "|" + body);
  }

  /** Completes a message with the fields that frame it. */
  public static String message(String fields) {
    String body = fields + "|";
    return checksummed("8=FIX.4.4|9=" + body.length() + "|" + body);
  }

  /** Adds the checksum of what is given. */
  public static String checksummed(String text) {
    int sum = 0;
    for (byte b : text.replace('|', '\u0001').getBytes(StandardCharsets.ISO_8859_1)) {
      sum += b & 0xff;
    }
    return text + "10=%03d|".formatted(sum % 256);
  }
}
