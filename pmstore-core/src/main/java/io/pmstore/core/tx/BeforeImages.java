package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The images that commits keep for the snapshots that are open, by address; those of one address in
 * a chain, the newest first. Images that are {@linkplain BeforeImage#PENDING pending} are at the
 * head of their chains: only the commit that holds the lock of an address adds one.
 *
 * <p>A snapshot at position S finds what was there in the image with the smallest position above S,
 * and in the heap if there is none. An image is put here before the heap is changed, so who reads
 * the heap first and then finds no image here has read what was there at S.
 *
 * <p>Safe for use by any number of threads. Lives as long as any snapshot is open.
 */
final class BeforeImages {
  private final HeapMemory memory;
  // In two steps, by extent and address, for whoever copies an extent.
  private final ConcurrentHashMap<Integer, ConcurrentHashMap<Long, BeforeImage>> extents =
      new ConcurrentHashMap<>();

  /** Tells an image which of its words a commit changes. */
  @FunctionalInterface
  interface Changes {
    void addTo(BeforeImage image);
  }

  BeforeImages(HeapMemory memory) {
    this.memory = memory;
  }

  /**
   * Keeps what a commit is about to change, unless the newest image there is serves every snapshot.
   * The caller holds the lock of the address.
   *
   * @param changes the words that it changes
   * @param newest the position of the newest snapshot
   * @return an image that is pending if it was made now
   */
  BeforeImage keep(long address, int size, Changes changes, long newest) {
    return extents
        .computeIfAbsent(extent(address), _ -> new ConcurrentHashMap<>())
        .compute(
            address,
            (_, head) -> {
              BeforeImage image =
                  head != null && head.position() > newest
                      ? head
                      : new BeforeImage(memory, address, size, head);
              changes.addTo(image);
              return image;
            });
  }

  /** The size of an object, which its header says. The caller holds its lock. */
  int size(long object) {
    return ObjectLayout.size(memory.getLong(object));
  }

  /** What was at an address at a snapshot's position, or null if that is still there. */
  @Nullable BeforeImage find(long address, long snapshot) {
    ConcurrentHashMap<Long, BeforeImage> extent = extents.get(extent(address));
    if (extent == null) {
      return null;
    }
    BeforeImage found = null;
    for (BeforeImage image = extent.get(address); image != null; image = image.older()) {
      long position = image.position();
      if (position > snapshot) {
        found = image;
      } else if (position != BeforeImage.VOID) {
        break;
      }
    }
    return found;
  }

  /** Says whether a snapshot, older than an image, has no older one that serves it. */
  static boolean isNeeded(BeforeImage image, long snapshot) {
    BeforeImage older = image.older();
    return older == null || older.position() <= snapshot;
  }

  /**
   * Takes an image away, if it is there; the words that it says were changed go to the older one.
   */
  void remove(BeforeImage image) {
    ConcurrentHashMap<Long, BeforeImage> extent = extents.get(extent(image.address()));
    if (extent != null) {
      extent.computeIfPresent(image.address(), (_, head) -> without(head, image));
    }
  }

  private static @Nullable BeforeImage without(BeforeImage head, BeforeImage image) {
    BeforeImage newer = null;
    BeforeImage at = head;
    while (at != null && at != image) {
      newer = at;
      at = at.older();
    }
    if (at == null) {
      return head;
    }
    BeforeImage older = image.older();
    if (older != null && image.position() != BeforeImage.VOID) {
      older.addChanged(image);
    }
    if (newer == null) {
      return older;
    }
    newer.setOlder(older);
    return head;
  }

  /** Makes a copy of an extent what the extent was at a snapshot's position. */
  void overlay(int extent, MemorySegment copy, long snapshot) {
    ConcurrentHashMap<Long, BeforeImage> images = extents.get(extent);
    if (images == null) {
      return;
    }
    for (long address : images.keySet()) {
      // Under the lock of the chain, which guards what the images say was changed.
      images.computeIfPresent(
          address,
          (_, head) -> {
            // The oldest last: its words are the ones of the snapshot.
            for (BeforeImage image = head; image != null; image = image.older()) {
              if (image.position() > snapshot) {
                image.overlay(copy, (long) extent << HeapMemory.EXTENT_SHIFT);
              }
            }
            return head;
          });
    }
  }

  /** How many images there are of the addresses that a filter lets pass. */
  long count(LongPredicate filter) {
    long count = 0;
    for (ConcurrentHashMap<Long, BeforeImage> extent : extents.values()) {
      for (BeforeImage head : extent.values()) {
        for (BeforeImage image = head; image != null; image = image.older()) {
          count += filter.test(image.address()) ? 1 : 0;
        }
      }
    }
    return count;
  }

  private static int extent(long address) {
    return (int) (address >>> HeapMemory.EXTENT_SHIFT);
  }
}
