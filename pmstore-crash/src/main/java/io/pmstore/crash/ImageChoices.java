package io.pmstore.crash;

import io.pmstore.crash.CrashImages.Aspect;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The sequence in which to try the {@link CrashImages} of a moment: all of them if they are few;
 * otherwise those that most often reveal mistakes, and random ones. The same seed gives the same
 * choices, and a larger budget only adds to them.
 */
public final class ImageChoices {
  private final List<Aspect> aspects;
  private final SplittableRandom random;
  private final boolean all;
  private final int[] missed;
  private int @Nullable [] odometer;

  /**
   * Starts.
   *
   * @param exhaustiveMax up to how many images all are tried
   */
  public ImageChoices(CrashImages images, int exhaustiveMax, long seed) {
    this.aspects = images.aspects();
    this.random = new SplittableRandom(seed);
    this.all = images.count() <= exhaustiveMax;
    this.missed =
        IntStream.range(0, aspects.size()).filter(i -> images.isMissed(aspects.get(i))).toArray();
  }

  /** Whether all images are tried. */
  public boolean isExhaustive() {
    return all;
  }

  /** The next choice, or null when all have been made; sampling never ends. */
  public int @Nullable [] next() {
    return all ? nextOfAll() : sample();
  }

  private int @Nullable [] nextOfAll() {
    if (odometer == null) {
      odometer = newest();
      return odometer.clone();
    }
    for (int i = 0; i < odometer.length; i++) {
      if (odometer[i]-- > 0) {
        return odometer.clone();
      }
      odometer[i] = aspects.get(i).versions() - 1;
    }
    return null;
  }

  private int[] sample() {
    if (aspects.isEmpty()) {
      return oldest();
    }
    if (missed.length > 0 && random.nextBoolean()) {
      return withoutMissed();
    }
    return switch (random.nextInt(9)) {
      case 0 -> oldest();
      case 1 -> newest();
      case 2 -> one(oldest(), true);
      case 3 -> one(newest(), false);
      case 4 -> upTo();
      case 5 -> oneFile(oldest(), true);
      case 6 -> oneFile(newest(), false);
      case 7 -> stretch();
      default -> each(new double[] {0.05, 0.5, 0.95}[random.nextInt(3)]);
    };
  }

  /** Nothing happened that is not durable. */
  public int[] oldest() {
    return new int[aspects.size()];
  }

  private int[] newest() {
    int[] choice = new int[aspects.size()];
    for (int i = 0; i < choice.length; i++) {
      choice[i] = aspects.get(i).versions() - 1;
    }
    return choice;
  }

  /** Only one thing happened, or all but one. */
  private int[] one(int[] choice, boolean happened) {
    int i = random.nextInt(choice.length);
    int versions = aspects.get(i).versions();
    choice[i] = happened ? 1 + random.nextInt(versions - 1) : random.nextInt(versions - 1);
    return choice;
  }

  /** Everything happened in order, up to a time. */
  private int[] upTo() {
    Aspect last = aspects.get(random.nextInt(aspects.size()));
    long stamp = last.stamp(1 + random.nextInt(last.versions() - 1));
    int[] choice = new int[aspects.size()];
    for (int i = 0; i < choice.length; i++) {
      choice[i] = aspects.get(i).upTo(stamp);
    }
    return choice;
  }

  /** All happened to one file, or to all others. */
  private int[] oneFile(int[] choice, boolean happened) {
    int group = aspects.get(random.nextInt(choice.length)).group();
    for (int i = 0; i < choice.length; i++) {
      if (aspects.get(i).group() == group) {
        choice[i] = happened ? aspects.get(i).versions() - 1 : 0;
      }
    }
    return choice;
  }

  /** A stretch of neighbours differs from the rest: a write torn in two. */
  private int[] stretch() {
    boolean happened = random.nextBoolean();
    int[] choice = happened ? oldest() : newest();
    int from = random.nextInt(choice.length);
    int to = from + 1 + random.nextInt(Math.min(64, choice.length - from));
    for (int i = from; i < to; i++) {
      choice[i] = happened ? aspects.get(i).versions() - 1 : 0;
    }
    return choice;
  }

  /** Everything happened but what a missing barrier would have made durable, or a part of that. */
  private int[] withoutMissed() {
    int[] choice = newest();
    double probability = random.nextBoolean() ? 1 : 0.5;
    for (int i : missed) {
      if (random.nextDouble() < probability) {
        choice[i] = 0;
      }
    }
    return choice;
  }

  /** Each thing happened with a probability, and if not, a part of its versions may have. */
  private int[] each(double probability) {
    int[] choice = newest();
    for (int i = 0; i < choice.length; i++) {
      if (random.nextDouble() >= probability) {
        choice[i] = random.nextInt(choice[i] + 1);
      }
    }
    return choice;
  }
}
