package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a store that are open.
 *
 * <p>A snapshot's position is fixed between two waits. Before: every commit under way that may not
 * have seen the snapshot ends, so that all commits above the position keep images. After: every
 * commit up to the position ends, so that the heap holds what they wrote. Only the opener waits; a
 * commit says that it is under way, then looks for snapshots, and the opener does it the other way
 * round.
 *
 * <p>Safe for use by any number of threads.
 */
final class Snapshots {
  private final Engine engine;
  private final Runnable awaitCommits;
  private final ReentrantLock opening = new ReentrantLock();
  // Ascending by position: they are opened one after the other. Replaced under the monitor of this.
  private volatile OpenSnapshot[] open = {};
  private volatile @Nullable OpenSnapshot newest;

  /**
   * Creates the snapshots of a store.
   *
   * @param awaitCommits waits for the end of every commit that is under way
   */
  Snapshots(Engine engine, Runnable awaitCommits) {
    this.engine = engine;
    this.awaitCommits = awaitCommits;
  }

  /** The newest one, for which a commit keeps images; null if none is open. */
  @Nullable OpenSnapshot newest() {
    return newest;
  }

  boolean isAnyOpen() {
    return newest != null;
  }

  /**
   * Says whether what a commit unlinked can be given out again, as far as snapshots are concerned:
   * none is open that may show it, nor is one being opened, whose position may be fixed already
   * though it does not say so yet. Asked by a commit under way, so that one whose opening begins
   * later shows a later state.
   */
  boolean allowReuse(long since) {
    for (OpenSnapshot each : open) {
      long position = each.position();
      if (position == BeforeImage.PENDING || position < since || each.copiesSpace()) {
        return false;
      }
    }
    return true;
  }

  /** Those that are open. */
  List<OpenSnapshot> all() {
    return List.of(open);
  }

  /**
   * Opens one of the state that is current now.
   *
   * @param copiesSpace whether what nothing reaches is looked at too
   */
  OpenSnapshot open(boolean copiesSpace) {
    opening.lock();
    try {
      OpenSnapshot snapshot = add(copiesSpace);
      try {
        awaitCommits.run();
        long position = engine.position();
        awaitCommits.run();
        snapshot.open(position);
        return snapshot;
      } catch (Throwable t) {
        close(snapshot);
        throw t;
      }
    } finally {
      opening.unlock();
    }
  }

  private synchronized OpenSnapshot add(boolean copiesSpace) {
    OpenSnapshot last = newest;
    BeforeImages images = last == null ? new BeforeImages(engine.memory()) : last.images();
    OpenSnapshot snapshot = new OpenSnapshot(this, images, engine.memory(), copiesSpace);
    OpenSnapshot[] longer = Arrays.copyOf(open, open.length + 1);
    longer[open.length] = snapshot;
    open = longer;
    newest = snapshot;
    return snapshot;
  }

  void close(OpenSnapshot closing) {
    BeforeImage owned;
    synchronized (this) {
      open = Arrays.stream(open).filter(each -> each != closing).toArray(OpenSnapshot[]::new);
      newest = open.length == 0 ? null : open[open.length - 1];
      owned = closing.seal();
      if (open.length == 0) {
        return; // and all images with it
      }
    }
    while (owned != null) {
      BeforeImage image = owned;
      owned = image.next(); // first: whoever gets it uses the link
      passOn(image, closing.images());
    }
  }

  /**
   * Has the next older snapshot own an image, or drops it. A newer one never needs it: when that
   * was opened the commit was over.
   */
  private void passOn(BeforeImage image, BeforeImages images) {
    while (true) {
      OpenSnapshot heir = newestBefore(image.position());
      if (heir == null || !BeforeImages.isNeeded(image, heir.position())) {
        images.remove(image);
        return;
      }
      if (heir.own(image)) {
        return;
      }
    }
  }

  private @Nullable OpenSnapshot newestBefore(long position) {
    OpenSnapshot[] all = open;
    for (int i = all.length - 1; i >= 0; i--) {
      if (all[i].position() < position) {
        return all[i];
      }
    }
    return null;
  }
}
