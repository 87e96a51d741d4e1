package io.pmstore.core.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An upgrade of all objects of older shapes. */
@Name("pmstore.Upgrade")
@Label("Upgrade of a Store")
@Description("All objects of older shapes were upgraded, as PmStore.upgrade asks")
@Category("pmstore")
@StackTrace(false)
public final class UpgradeEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("Objects")
  @Description("How many objects were upgraded")
  long objects;

  @Label("Failure")
  @Description("What ended the upgrade before its end; empty if it is complete")
  String failure = "";

  private UpgradeEvent() {}

  static UpgradeEvent started() {
    UpgradeEvent event = new UpgradeEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the event and records it if it is enabled.
   *
   * @param directory of the store
   * @param upgraded how many objects were upgraded
   * @param reason what ended it early, or an empty text
   */
  public void ended(String directory, long upgraded, String reason) {
    end();
    if (shouldCommit()) {
      store = directory;
      objects = upgraded;
      failure = reason;
      commit();
    }
  }
}
