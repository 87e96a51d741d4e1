package io.pmstore.core.tx;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.Mutex;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
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
  private final ImageRoom room = new ImageRoom();
  // Ascending by position, since snapshots open one after the other. Replaced under the monitor.
  private volatile OpenSnapshot[] open = {};
  private volatile @Nullable OpenSnapshot newest;
  private volatile List<OpenSnapshot> ended = List.of(); // not closed yet; under the monitor

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

  /** Returns true while the body of a snapshot may run: it is open, or was ended. */
  boolean isAnyInUse() {
    return isAnyOpen() || !ended.isEmpty();
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

  /** Returns what says if the Java heap has room for before-images. */
  ImageRoom room() {
    return room;
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
      if (closing.isEnded()) {
        ended = ended.stream().filter(each -> each != closing).toList();
      }
      owned = remove(closing);
      if (open.length == 0) {
        room.gaveUp();
        return; // all images go with it
      }
    }
    passOn(owned, closing);
  }

  /**
   * Ends the oldest snapshots until so many bytes of before-images are garbage, or none is open.
   * Their reads throw from then on, but for those that need no image. Called when no commit is
   * under way and none can begin.
   */
  void endOldest(long bytes) {
    long freed = 0;
    while (freed < bytes) {
      BeforeImage owned;
      OpenSnapshot oldest;
      synchronized (this) {
        if (open.length == 0) {
          return;
        }
        oldest = open[0];
        oldest.end(); // first: a reader that misses an image sees that
        ended = Stream.concat(ended.stream(), Stream.of(oldest)).toList();
        owned = remove(oldest);
      }
      freed += passOn(owned, oldest);
    }
  }

  /** Takes a snapshot out of the open ones; returns its images. The caller holds the monitor. */
  private @Nullable BeforeImage remove(OpenSnapshot closing) {
    open = Arrays.stream(open).filter(each -> each != closing).toArray(OpenSnapshot[]::new);
    newest = open.length == 0 ? null : open[open.length - 1];
    return closing.seal();
  }

  /** Passes the images of a snapshot on or drops them; returns the bytes of those it dropped. */
  private long passOn(@Nullable BeforeImage owned, OpenSnapshot closing) {
    if (owned != null) {
      room.gaveUp();
    }
    long dropped = 0;
    while (owned != null) {
      BeforeImage image = owned;
      owned = image.next(); // first, since its next owner changes the link
      dropped += passOn(image, closing.images()) ? 0 : image.bytes();
    }
    return dropped;
  }

  /**
   * Passes an image on to the next older snapshot, or drops it and returns false. A newer snapshot
   * never needs it: the commit had ended when that opened.
   */
  private boolean passOn(BeforeImage image, BeforeImages images) {
    while (true) {
      OpenSnapshot heir = newestBefore(image.position());
      if (heir == null || !BeforeImages.isNeeded(image, heir.position())) {
        images.remove(image);
        return false;
      }
      if (heir.own(image)) {
        return true;
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
