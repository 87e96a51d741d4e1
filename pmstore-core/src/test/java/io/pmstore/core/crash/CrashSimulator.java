package io.pmstore.core.crash;

import io.pmstore.crash.CrashImages;
import io.pmstore.crash.Disk;
import io.pmstore.crash.ImageChoices;
import io.pmstore.crash.UnitHistory;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Cuts the power at moments of a run: creates images of the disk, opens each, and compares what is
 * found with what was promised.
 *
 * <p>Equal images are opened once; the result is compared with the promises of each moment at which
 * the image is possible.
 *
 * @param <F> what is found in an image
 */
public final class CrashSimulator<F> {
  /**
   * The program whose disk it is.
   *
   * @param <F> what is found in an image
   */
  public interface Subject<F> {
    /**
     * Opens an image as the next process would, and closes it again.
     *
     * @param image a disk that nobody else uses
     * @param seed for choices of its own
     * @return what is in it
     * @throws Exception if it cannot be opened, or what is in it never existed
     */
    F recover(Disk image, long seed) throws Exception;

    /**
     * Compares with what is promised now.
     *
     * @param found what is in an image
     */
    void check(F found);

    /**
     * Counts changes of what is promised.
     *
     * @return a number that differs from an earlier one if {@link #check} may say something else
     */
    long promises();
  }

  // Images that were seen before are tried again, but not for ever.
  private static final int REPEATS_MAX = 4;
  private static final int THINNED_OUT_ONE_IN = 16;

  private final Subject<F> subject;
  private final long seed;
  private final Effort effort;
  private final SplittableRandom random;
  private final Map<Long, F> known = new HashMap<>();
  private long opened;
  private long moments;
  private long exhausted;
  private long lastChanges = -1;
  private long lastPromises = -1;

  /**
   * How much is tried.
   *
   * @param momentOneIn one in so many moments is looked at, and all at which a promise was made
   * @param exhaustiveMax up to how many images of a moment all are tried
   * @param images how many are opened, on average, where there are more
   * @param enough from so many opened images on, a sixteenth of the moments is looked at
   */
  public record Effort(int momentOneIn, int exhaustiveMax, double images, int enough) {}

  /**
   * Creates a simulator.
   *
   * @param subject the program
   * @param seed what is chosen from
   * @param effort how much is tried
   */
  public CrashSimulator(Subject<F> subject, long seed, Effort effort) {
    this.subject = subject;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.effort = effort;
  }

  /**
   * Cuts the power now, in many ways. Nothing is done if nothing has changed since the last call.
   *
   * @param disk what is left of
   */
  public void cutPower(Disk disk) {
    long promises = subject.promises();
    if (disk.changes() == lastChanges && promises == lastPromises) {
      return;
    }
    boolean promised = promises != lastPromises;
    lastChanges = disk.changes();
    lastPromises = promises;
    moments++;
    int oneIn =
        (promised ? 1 : effort.momentOneIn) * (opened < effort.enough ? 1 : THINNED_OUT_ONE_IN);
    if (random.nextInt(oneIn) != 0) {
      return;
    }
    CrashImages images = new CrashImages(disk);
    ImageChoices choices =
        new ImageChoices(images, effort.exhaustiveMax, UnitHistory.mix(seed + moments));
    if (choices.isExhaustive()) {
      exhausted++;
      for (int[] choice = choices.next(); choice != null; choice = choices.next()) {
        tryImage(images, choice);
      }
      return;
    }
    if (promised) {
      // What was just acknowledged is safe if it is in what is left at the least.
      tryImage(images, choices.oldest());
    }
    int wanted = (int) (effort.images + random.nextDouble());
    for (int tries = wanted * REPEATS_MAX; wanted > 0 && tries > 0; tries--) {
      if (tryImage(images, choices.next())) {
        wanted--;
      }
    }
  }

  /** Returns whether the image had to be opened. */
  private boolean tryImage(CrashImages images, int[] choice) {
    long hash = images.hash(choice);
    F found = known.get(hash);
    boolean isNew = found == null;
    try {
      if (found == null) {
        found = subject.recover(images.build(choice), UnitHistory.mix(seed + ~opened));
        known.put(hash, found);
        opened++;
      }
      subject.check(found);
    } catch (Exception | AssertionError e) {
      throw new PowerCutFailure(
          "power cut %d, of an image of which %s: %s"
              .formatted(moments, images.describe(choice), e.getMessage()),
          e);
    }
    return isNew;
  }

  /** An image is not as promised. */
  public static final class PowerCutFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    PowerCutFailure(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * How many different images were opened.
   *
   * @return the number
   */
  public long images() {
    return opened;
  }

  /** Forgets what was found: from now on it has another meaning. */
  void forget() {
    known.clear();
  }

  /**
   * At how many moments all images were tried.
   *
   * @return the number
   */
  public long exhausted() {
    return exhausted;
  }

  @Override
  public String toString() {
    return "%d images; %d moments, of %d of them all images".formatted(opened, moments, exhausted);
  }
}
