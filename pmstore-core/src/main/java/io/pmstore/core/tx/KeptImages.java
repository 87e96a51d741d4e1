package io.pmstore.core.tx;

import io.pmstore.core.engine.WriteSet;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What one commit keeps for the snapshots that are open. Used by one thread; reused from one commit
 * to the next.
 *
 * <p>New objects need no image. {@code Reclamation} frees nothing that an open snapshot may show,
 * so the space of a new object holds no object of any snapshot.
 */
final class KeptImages {
  private static final int WORD = 8;

  private final Snapshots snapshots;
  private final ArrayList<BeforeImage> kept = new ArrayList<>();

  KeptImages(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  /**
   * Keeps what a commit is about to change. The caller has said that it is committing, holds all
   * locks, and has not yet given the write set to the engine.
   */
  void keep(WorkingCopies copies, LinkChanges linkChanges, WriteSet writes) {
    OpenSnapshot newest = snapshots.newest();
    if (newest == null) {
      return;
    }
    for (int i = 0; i < copies.count(); i++) {
      if (!copies.isFresh(i)) {
        int number = i;
        keep(
            newest,
            copies.address(i),
            copies.size(i),
            before -> copies.forEachDirtyWord(number, before::addChanged));
      }
    }
    writes.forEachDelta(
        address -> {
          // An object has one chain of images, of all its words: also if only its header changes.
          int size = linkChanges.isHeader(address) ? newest.images().size(address) : WORD;
          keep(newest, address, size, before -> before.addChanged(0));
        });
  }

  private void keep(OpenSnapshot newest, long address, int size, BeforeImages.Changes changes) {
    kept.ensureCapacity(kept.size() + 1); // nothing may fail between keeping and noting it
    BeforeImage image = newest.images().keep(address, size, changes, newest.position());
    if (image.position() == BeforeImage.PENDING) {
      kept.add(image);
      own(image, newest);
    }
  }

  /** Finds the image an open snapshot that drops it some day; the first choice may have closed. */
  private void own(BeforeImage image, OpenSnapshot newest) {
    @Nullable OpenSnapshot owner = newest;
    // Once all are closed that were open when the commit began, their images are gone as a whole.
    while (owner != null && owner.images() == newest.images() && !owner.own(image)) {
      owner = snapshots.newest();
    }
  }

  /** Notes the position of the commit, before its locks are released. */
  void committed(long position) {
    for (BeforeImage image : kept) {
      image.setPosition(position);
    }
    kept.clear();
  }

  /** Drops what was kept for a commit that changed nothing, before its locks are released. */
  void failed() {
    for (BeforeImage image : kept) {
      image.setPosition(BeforeImage.VOID);
      OpenSnapshot newest = snapshots.newest();
      if (newest != null) {
        newest.images().remove(image);
      }
    }
    kept.clear();
  }
}
