package io.pmstore.core.tx;

import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.space.Allocator;
import java.util.ArrayList;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The before-images that one commit keeps for open snapshots. Used by one thread; reused from one
 * commit to the next.
 *
 * <p>New objects need no before-image. {@code Reclamation} frees nothing that an open snapshot may
 * show, so the space of a new object holds no object of any snapshot.
 */
final class KeptImages {
  private static final int WORD = 8;

  private final Snapshots snapshots;
  private final ArrayList<BeforeImage> kept = new ArrayList<>();
  private long bytes; // of these

  KeptImages(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  /** Returns the bytes of Java heap that {@link #keep} takes at most. */
  long bytesToKeep(ChangeSet changes, LinkChanges linkChanges, WriteSet writes) {
    OpenSnapshot newest = snapshots.newest();
    if (newest == null) {
      return 0;
    }
    long[] sum = new long[1];
    changes.forEach(
        new ChangeReader() {
          @Override
          public void changed(ChangeSet set, int object) {
            sum[0] += set.size(object) + JavaHeap.BYTES_PER_OBJECT;
          }
        });
    writes.forEachDelta(
        address -> sum[0] += size(newest, linkChanges, address) + JavaHeap.BYTES_PER_OBJECT);
    return sum[0];
  }

  /** Returns the size of the image of a word with a delta. */
  private static int size(OpenSnapshot newest, LinkChanges linkChanges, long address) {
    // An object has one chain, of images of all its words, even if only its header changes.
    return linkChanges.isHeader(address) ? newest.images().size(address) : WORD;
  }

  /**
   * Keeps before-images of what a commit is about to change. Called when the commit counts as under
   * way and holds all its locks, before the engine gets the write set.
   */
  void keep(ChangeSet changes, LinkChanges linkChanges, WriteSet writes) {
    OpenSnapshot newest = snapshots.newest();
    if (newest == null) {
      return;
    }
    changes.forEach(
        new ChangeReader() {
          @Override
          public void changed(ChangeSet set, int object) {
            keep(
                newest,
                set.address(object),
                set.size(object),
                before -> {
                  for (int word = set.nextDirtyWord(object, 0);
                      word >= 0;
                      word = set.nextDirtyWord(object, word + 1)) {
                    before.addChanged(word, 1);
                  }
                });
          }
        });
    writes.forEachDelta(
        address -> {
          int size = size(newest, linkChanges, address);
          keep(newest, address, size, before -> before.addChanged(0, 1));
        });
  }

  /**
   * Keeps before-images of what a record from outside is about to change or free, under the same
   * conditions. Who wrote the record knows nothing of the snapshots here, so the space of a freed
   * object may soon have other contents: all of it counts as changed.
   *
   * @param record a whole write set, without deltas
   */
  void keep(WriteSet record, Allocator allocator) {
    OpenSnapshot newest = snapshots.newest();
    if (newest == null) {
      return;
    }
    BeforeImages images = newest.images();
    WriteSet.ObjectVisitor changed =
        (object, address, source, offset, length) -> {
          boolean isPart = address > object || allocator.isAllocated(object);
          if (isPart || length == WORD) { // not new, nor unused space
            int first = (int) (address - object) >>> 3;
            int size = isPart ? images.size(object) : WORD;
            keep(newest, object, size, before -> before.addChanged(first, length >>> 3));
          }
        };
    record.forEachRange(changed);
    record.forEachFreed(
        object -> {
          int size = images.size(object);
          keep(newest, object, size, true, before -> before.addChanged(0, size >>> 3));
        });
  }

  /** Returns the bytes of Java heap that {@link #keep(WriteSet, Allocator)} takes, estimated. */
  long bytesToKeep(WriteSet record, Allocator allocator) {
    OpenSnapshot newest = snapshots.newest();
    if (newest == null) {
      return 0;
    }
    BeforeImages images = newest.images();
    long[] sum = new long[2]; // and the object that was counted last
    LongConsumer count =
        object -> {
          if (object != sum[1] && allocator.isAllocated(object)) {
            sum[0] += images.size(object) + JavaHeap.BYTES_PER_OBJECT;
            sum[1] = object;
          }
        };
    WriteSet.ObjectVisitor changed =
        (object, address, source, offset, length) -> count.accept(object);
    record.forEachRange(changed);
    record.forEachFreed(count);
    return sum[0];
  }

  private void keep(OpenSnapshot newest, long address, int size, BeforeImages.Changes changes) {
    keep(newest, address, size, false, changes);
  }

  private void keep(
      OpenSnapshot newest, long address, int size, boolean whole, BeforeImages.Changes changes) {
    kept.ensureCapacity(kept.size() + 1); // nothing may fail between keeping an image and adding it
    BeforeImage image = newest.images().keep(address, size, whole, changes, newest.position());
    // The ranges of one object are adjacent in a record, so its image can only be the last one.
    if (image.position() == BeforeImage.PENDING && (kept.isEmpty() || kept.getLast() != image)) {
      kept.add(image);
      bytes += size + JavaHeap.BYTES_PER_OBJECT;
      own(image, newest);
    }
  }

  /**
   * Has an open snapshot own an image and later drop it. The newest snapshot may have closed
   * meanwhile.
   */
  private void own(BeforeImage image, OpenSnapshot newest) {
    @Nullable OpenSnapshot owner = newest;
    // Once all snapshots have closed that were open when the commit began, their images are gone.
    while (owner != null && owner.images() == newest.images() && !owner.own(image)) {
      owner = snapshots.newest();
    }
  }

  /** Gives the images the position of the commit, before the locks are released. */
  void committed(long position) {
    for (BeforeImage image : kept) {
      image.setPosition(position);
    }
    if (bytes != 0) {
      snapshots.room().kept(bytes);
    }
    clear();
  }

  /** Drops the images of a commit that changed nothing, before the locks are released. */
  void failed() {
    for (BeforeImage image : kept) {
      image.setPosition(BeforeImage.VOID);
      OpenSnapshot newest = snapshots.newest();
      if (newest != null) {
        newest.images().remove(image);
      }
    }
    clear();
  }

  private void clear() {
    kept.clear();
    bytes = 0;
  }
}
