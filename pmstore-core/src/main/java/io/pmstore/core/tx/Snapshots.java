package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open snapshots of a store.
 *
 * <p>The opener fixes a snapshot's position between two waits. The first is for every commit under
 * way that may not have seen the snapshot, so that all commits above the position keep
 * before-images. The second is for every commit up to the position, so that the heap has what they
 * wrote. A commit first counts as under way and then looks for snapshots; the opener first adds the
 * snapshot and then looks for commits.
 *
 * <p>A commit validates its reads before it gets its position. So a commit above the snapshot's
 * position may have read what a commit up to that position overwrote, and then comes before it in
 * the order of transactions. A snapshot between the two would show a state that no order of the
 * transactions has. So if a commit that was under way when the opener read the position turns out
 * to be above it, even one that has ended before the second wait, the opener takes a later
 * position; after some of those it pauses all commits. A commit that begins later also validates
 * later, and finds the locks or the versions of the commits up to the position.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Snapshots {
  private static final int POSITIONS_TRIED = 8;

  private final Engine engine;
  private final Commits commits;
  private final Mutex opening = new Mutex();
  private final AtomicLong keptBytes = new AtomicLong(); // since a commit had room for more
  // Ascending by position, since snapshots open one after the other. Replaced under the monitor.
  private volatile OpenSnapshot[] open = {};
  private volatile @Nullable OpenSnapshot newest;

  Snapshots(Engine engine, Commits commits) {
    this.engine = engine;
    this.commits = commits;
  }

  /** Returns the newest one, for which commits keep before-images, or null if none is open. */
  @Nullable OpenSnapshot newest() {
    return newest;
  }

  /** Returns true while a snapshot is open: some thread may see an older state. */
  public boolean isAnyOpen() {
    return newest != null;
  }

  /**
   * Returns true if no open snapshot may show an object that was unlinked at a position. A snapshot
   * that is just opening counts as one that may: its position may be fixed already. The caller is a
   * commit under way, so a snapshot whose opening begins later shows a later state.
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

  /**
   * Returns true if an open snapshot, other than that of a copy, may show an object that was
   * unlinked at a position. A snapshot whose opening begins later shows a later state.
   */
  public boolean mayShow(long since) {
    for (OpenSnapshot each : open) {
      long position = each.position();
      if ((position == BeforeImage.PENDING || position < since) && !each.copiesSpace()) {
        return true;
      }
    }
    return false;
  }

  /** Counts the bytes of before-images that a commit has kept. */
  void kept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  /** Returns the bytes of before-images that were kept since {@link #hadRoom}. */
  long keptBytes() {
    return keptBytes.get();
  }

  /** Notes that the Java heap has room for more before-images. */
  void hadRoom() {
    keptBytes.set(0);
  }

  List<OpenSnapshot> all() {
    return List.of(open);
  }

  /**
   * Opens a snapshot of the current state.
   *
   * @param copiesSpace true if the snapshot shows the space of objects that nothing reaches too
   */
  OpenSnapshot open(boolean copiesSpace) {
    try (var _ = opening.hold()) {
      OpenSnapshot snapshot = add(copiesSpace);
      try {
        commits.awaitCommits();
        for (int i = 0; i < POSITIONS_TRIED; i++) {
          Commits.Progress before = commits.progress();
          long position = engine.position();
          if (commits.awaitCommitsSince(before) <= position) {
            snapshot.open(position);
            return snapshot;
          }
        }
        commits.pauseFor(() -> snapshot.open(engine.position()));
        return snapshot;
      } catch (Throwable t) {
        close(snapshot);
        throw t;
      }
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
        return; // all images go with it
      }
    }
    while (owned != null) {
      BeforeImage image = owned;
      owned = image.next(); // first, since its next owner changes the link
      passOn(image, closing.images());
    }
  }

  /**
   * Passes an image on to the next older snapshot, or drops it. A newer snapshot never needs it:
   * the commit had ended when that opened.
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
