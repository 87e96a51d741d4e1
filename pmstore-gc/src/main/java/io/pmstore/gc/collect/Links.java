package io.pmstore.gc.collect;

import io.pmstore.core.tx.LinkListener;
import org.jspecify.annotations.Nullable;

/** Passes on what commits tell, to the parts of the collector that it is for. */
final class Links implements LinkListener {
  private final UnlinkedObjects unlinked;
  private final CollectionTrigger trigger;
  private final Runnable wake;
  private volatile @Nullable Marker marker;

  /**
   * Makes a listener.
   *
   * @param wake called when there is something to do at once; by commits, so it must not wait
   */
  Links(UnlinkedObjects unlinked, CollectionTrigger trigger, Runnable wake) {
    this.unlinked = unlinked;
    this.trigger = trigger;
    this.wake = wake;
  }

  /** Has a marker told, or none. */
  void marker(@Nullable Marker now) {
    marker = now;
  }

  @Override
  public boolean isMarking() {
    return marker != null;
  }

  @Override
  public void linked(long object) {
    Marker now = marker; // null for a commit that began in a collection which has ended since
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
