package io.pmstore.core.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Timespan;

/** A transaction that ran alone after several conflicts lost this right because it took long. */
@Name("pmstore.TurnEnded")
@Label("Turn Ended")
@Description("A transaction that ran alone waited in its body, or ran for long, so others go on")
@Category("pmstore")
public final class TurnEndedEvent extends Event {
  @Label("Holder")
  @Description("The thread of the transaction")
  final Thread holder;

  @Label("Place")
  @Description("Where in the program the thread was")
  final String place;

  @Label("Waits")
  @Description("Whether the thread waited, and did not run")
  final boolean waits;

  @Label("Turn")
  @Description("How long the transaction had run alone")
  @Timespan
  final long turn;

  TurnEndedEvent(Thread holder, String place, boolean waits, long turn) {
    this.holder = holder;
    this.place = place;
    this.waits = waits;
    this.turn = turn;
  }
}
