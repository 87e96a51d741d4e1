package io.pmstore.core.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A thread wrote while another thread, in a transaction, seemed to wait for it. */
@Name("pmstore.WriteBesideTransaction")
@Label("Write Beside Transaction")
@Description(
    "A thread wrote, seemingly for a transaction of another thread, which it is no part of")
@Category("pmstore")
public final class WriteBesideTransactionEvent extends Event {
  @Label("Place")
  @Description("Where in the program the write was")
  final String place;

  @Label("Holder")
  @Description("The thread of the transaction")
  final Thread holder;

  @Label("Holder Place")
  @Description("Where in the program the transaction was")
  final String holderPlace;

  WriteBesideTransactionEvent(String place, Thread holder, String holderPlace) {
    this.place = place;
    this.holder = holder;
    this.holderPlace = holderPlace;
  }
}
