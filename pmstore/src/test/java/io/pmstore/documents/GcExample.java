package io.pmstore.documents;

import io.pmstore.GcReport;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreStatistics;
import java.util.HashMap;
import java.util.Map;

/** The examples of the page about garbage. */
public final class GcExample {
  private GcExample() {}

  /** The root. */
  @Persistent(root = "desk")
  public static class Desk {
    private Map<Long, Ticket> tickets = new HashMap<>();
    private Ticket current;

    public Map<Long, Ticket> getTickets() {
      return tickets;
    }

    public Ticket getCurrent() {
      return current;
    }

    public void setCurrent(Ticket current) {
      this.current = current;
    }
  }

  /** What is on the desk. */
  @Persistent
  public static class Ticket {
    private String text;

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }
  }

  static String held(PmStore store) {
    Desk desk = store.root(Desk.class);
    Ticket ticket = store.create(Ticket.class);
    ticket.setText("call back");
    desk.setCurrent(ticket);
    desk.setCurrent(null); // nothing in the store refers to it any more
    String text = ticket.getText(); // but the program does, so it is whole
    desk.getTickets().put(1L, ticket); // and linked again: it stays
    return text;
  }

  static PmStoreOptions options() {
    PmStoreOptions onRequest = PmStoreOptions.defaults().gcInBackground(false);
    PmStoreOptions beforeOpening = PmStoreOptions.defaults().gcBeforeOpening(true);
    return onRequest.gcBeforeOpening(beforeOpening.gcBeforeOpening());
  }

  static StoreStatistics collect(PmStore store) {
    GcReport report = store.gc(); // all that could not be reached when this was called is free now
    System.out.println(report.freedObjects() + " objects of " + report.freedBytes() + " bytes");
    long givenBack = store.compact(); // bytes that the file system has again
    StoreStatistics statistics = store.statistics();
    for (StoreStatistics.ClassStatistics use : statistics.classes()) {
      System.out.println(use.className() + ": " + use.liveObjects() + ", " + use.liveBytes());
    }
    return givenBack > 0 ? store.statistics() : statistics;
  }
}
