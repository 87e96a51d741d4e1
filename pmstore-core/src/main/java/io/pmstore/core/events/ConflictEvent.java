package io.pmstore.core.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Throttle;

/** An attempt at a transaction was rolled back, and its body runs again. */
@Name("pmstore.Conflict")
@Label("Conflict of Transactions")
@Description("Another transaction changed what this one had read, so its body runs again")
@Category("pmstore")
@StackTrace(false)
@Throttle("100/s")
public final class ConflictEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  final String store;

  @Label("Object Class")
  @Description(
      "The class of the object that the other transaction had changed. Empty if it is a counter, or"
          + " if it was changed before the first conflict of the recording")
  final String objectClass;

  @Label("Failed Attempts")
  @Description("How many attempts of this transaction have failed, with this one")
  final int failedAttempts;

  ConflictEvent(String store, String objectClass, int failedAttempts) {
    this.store = store;
    this.objectClass = objectClass;
    this.failedAttempts = failedAttempts;
  }
}
