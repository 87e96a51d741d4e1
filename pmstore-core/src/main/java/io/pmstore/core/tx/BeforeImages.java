package io.pmstore.core.tx;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The before-images that commits keep for open snapshots: a chain for each address, newest first.
 * Snapshots that are open at the same time share one instance; it is dropped with the last of them.
 *
 * <p>Before a commit changes the heap, it adds its image at the head of the chain, as a {@linkplain
 * BeforeImage#PENDING pending} one. It holds the lock of the address, so no other commit adds to
 * the chain meanwhile. A snapshot at position S uses the image with the smallest position above S,
 * and the heap if there is none. It reads the heap first: if it finds no image afterwards, the heap
 * had the value of S.
 *
 * <p>Safe for use by any number of threads.
 */
final class BeforeImages {
  private final HeapMemory memory;
  // By extent, then by address, because a backup copies one extent at a time.
  private final ConcurrentHashMap<Integer, ConcurrentHashMap<Long, BeforeImage>> extents =
      new ConcurrentHashMap<>();

  /** Marks in an image the words that a commit changes. */
  @FunctionalInterface
  interface Changes {
    void addTo(BeforeImage image);
  }

  BeforeImages(HeapMemory memory) {
    this.memory = memory;
  }

  /**
   * Keeps a before-image of what a commit is about to change, unless the newest image of the
   * address serves every snapshot. The caller holds the lock of the address.
   *
   * @param whole true if the commit frees the object, so that its counters have to be kept too
   * @param changes marks the words that the commit changes
   * @param newest the position of the newest snapshot
   * @return the image, which is pending if this call made it
   */
  BeforeImage keep(long address, int size, boolean whole, Changes changes, long newest) {
    return extents
        .computeIfAbsent(extent(address), _ -> new ConcurrentHashMap<>())
        .compute(
            address,
            (_, head) -> {
              BeforeImage image =
                  head != null && head.position() > newest && !whole
                      ? head
                      : new BeforeImage(memory, address, size, whole, head);
              changes.addTo(image);
              return image;
            });
  }

  /** Returns the size of an object, from its header. The caller holds its lock. */
  int size(long object) {
    return ObjectLayout.size(memory.getLong(object));
  }

  /**
   * Returns the image of an address at a snapshot's position, or null if the heap still has that
   * state.
   */
  @Nullable BeforeImage find(long address, long snapshot) {
    return find(address, snapshot, false);
  }

  /**
   * Returns the image of a counter at a snapshot's position, or null if the heap still has that
   * state. The image is that of the word alone, or a whole one of the object.
   */
  @Nullable BeforeImage findCounter(long object, int offset, long snapshot) {
    BeforeImage own = find(object + offset, snapshot, false);
    BeforeImage freed = find(object, snapshot, true);
    // What came after the object was freed may have changed the word too.
    return freed == null || (own != null && own.position() < freed.position()) ? own : freed;
  }

  private @Nullable BeforeImage find(long address, long snapshot, boolean whole) {
    ConcurrentHashMap<Long, BeforeImage> extent = extents.get(extent(address));
    if (extent == null) {
      return null;
    }
    BeforeImage found = null;
    for (BeforeImage image = extent.get(address); image != null; image = image.older()) {
      long position = image.position();
      if (position > snapshot) {
        found = !whole || image.isWhole() ? image : found;
      } else if (position != BeforeImage.VOID) {
        break;
      }
    }
    return found;
  }

  /** Returns true if a snapshot that is older than an image has no older image that serves it. */
  static boolean isNeeded(BeforeImage image, long snapshot) {
    BeforeImage older = image.older();
    return image.isWhole() || older == null || older.position() <= snapshot;
  }

  /**
   * Removes an image, if it is there. The next older image takes over its marks of changed words.
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

  /** The words of an image that commits had changed when it was made. */
  private static final class Changed {
    final BeforeImage image;
    final long position;
    final long[] marks;

    Changed(BeforeImage image) {
      this.image = image;
      this.position = image.position();
      this.marks = image.changed();
    }
  }

  /** Turns a copy of an extent into the state that the extent had at a snapshot's position. */
  void overlay(int extent, MemorySegment copy, long snapshot) {
    ConcurrentHashMap<Long, BeforeImage> images = extents.get(extent);
    if (images == null) {
      return;
    }
    List<Changed> changed = new ArrayList<>();
    for (long address : images.keySet()) {
      // The map locks the chain meanwhile, which guards the marks of changed words.
      images.computeIfPresent(
          address,
          (_, head) -> {
            for (BeforeImage image = head; image != null; image = image.older()) {
              if (image.position() > snapshot) {
                changed.add(new Changed(image));
              }
            }
            return head;
          });
    }
    // Oldest last: where several images have a word, the oldest has the snapshot's. They may be of
    // different objects, where space was used again.
    changed.sort(Comparator.comparingLong((Changed each) -> each.position).reversed());
    for (Changed each : changed) {
      each.image.overlay(copy, (long) extent << HeapMemory.EXTENT_SHIFT, each.marks);
    }
  }

  /** Returns the number of images whose addresses pass a filter. */
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
