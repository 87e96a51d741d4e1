package io.pmstore.gc.collect;

import io.pmstore.core.tx.LinkListener;
import org.jspecify.annotations.Nullable;

/** Passes what commits report to the parts of the collector that need it. */
final class LinkDispatcher implements LinkListener {
  private final UnlinkedObjects unlinked;
  private final CollectionTrigger trigger;
  private final Runnable wake;
  private volatile @Nullable Marker marker;

  /**
   * Creates a listener.
   *
   * @param wake called by commits when there is work to do at once; must not block
   */
  LinkDispatcher(UnlinkedObjects unlinked, CollectionTrigger trigger, Runnable wake) {
    this.unlinked = unlinked;
    this.trigger = trigger;
    this.wake = wake;
  }

  /** Sets the marker that is informed, or none. */
  void marker(@Nullable Marker now) {
    marker = now;
  }

  @Override
  public boolean isMarking() {
    return marker != null;
  }

  @Override
  public void linked(long object) {
    Marker now = marker; // null if the commit began during a collection that has ended since
    if (now != null) {
      now.linked(object);
    }
  }

  @Override
  public void born(long object) {
    Marker now = marker;
    if (now != null) {
      now.born(object);
    }
  }

  @Override
  public void unlinked(long object, long position) {
    if (unlinked.add(object, position)) {
      wake.run();
    }
  }

  @Override
  public void sharedUnlinked(int count) {
    if (trigger.lost(count)) {
      wake.run();
    }
  }
}
