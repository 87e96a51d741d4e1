package io.pmstore.junit;

import io.pmstore.crash.CrashImages;
import io.pmstore.crash.Disk;
import io.pmstore.crash.ImageChoices;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws crash images of a disk: of one moment, or of the moments of an action. Used with the disk's
 * monitor held.
 *
 * @param <T> what is promised
 */
final class CrashDraw<T> {
  private static final int EXHAUSTIVE_MAX = 16;
  private static final int KILLED_ONE_IN = 8;

  private final int max;
  private final Supplier<T> promised;
  private final SplittableRandom random;
  private final List<CrashImage<T>> images = new ArrayList<>();
  private int momentOneIn = 1;
  private long moments;
  private @Nullable Throwable failure;

  /**
   * Prepares a draw.
   *
   * @param max the most images to keep
   */
  CrashDraw(int max, Supplier<T> promised, long seed) {
    this.max = max;
    this.promised = promised;
    this.random = new SplittableRandom(seed);
  }

  /** Draws images of one moment: what a kill leaves, and what power cuts could leave. */
  void draw(Disk disk) {
    CrashImages possible = new CrashImages(disk);
    T now = promised.get();
    Set<Long> known = new HashSet<>();
    add(possible, CrashImage.killed(possible), now, known);
    ImageChoices choices = new ImageChoices(possible, EXHAUSTIVE_MAX, random.nextLong());
    add(possible, choices.oldest(), now, known);
    for (int tries = 4 * max; images.size() < max && tries > 0; tries--) {
      int[] choice = choices.next();
      if (choice == null) {
        return; // all of them
      }
      add(possible, choice, now, known);
    }
  }

  private void add(CrashImages possible, int[] choice, T now, Set<Long> known) {
    if (known.add(possible.hash(choice))) {
      images.add(CrashImage.of(possible, choice, now));
    }
  }

  /**
   * Draws an image at a moment of the action, with a probability that is the same for each moment.
   * When there are too many images, it drops half of them and halves the probability.
   */
  void moment(Disk disk) {
    moments++;
    if (failure != null || random.nextInt(momentOneIn) != 0) {
      return;
    }
    T now;
    try {
      now = promised.get(); // before the image: what was acknowledged has to be in it
    } catch (RuntimeException | Error e) {
      failure = e; // the test's fault: the store, which is in a commit, must not see it
      return;
    }
    CrashImages possible = new CrashImages(disk);
    int[] choice =
        random.nextInt(KILLED_ONE_IN) == 0
            ? CrashImage.killed(possible)
            : new ImageChoices(possible, 0, random.nextLong()).next();
    images.add(CrashImage.of(possible, choice == null ? CrashImage.killed(possible) : choice, now));
    if (images.size() > 2 * max) {
      dropTo(max);
      momentOneIn *= 2;
    }
  }

  private void dropTo(int count) {
    while (images.size() > count) {
      images.remove(random.nextInt(images.size()));
    }
  }

  /** Returns the images; {@link #moment} has been called this often. */
  List<CrashImage<T>> images() {
    dropTo(max);
    return images;
  }

  /** Returns why no promise could be had, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  long moments() {
    return moments;
  }
}
