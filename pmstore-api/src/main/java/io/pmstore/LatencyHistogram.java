package io.pmstore;

import java.util.Arrays;

/**
 * A histogram of durations: counts in buckets, eight for each power of two nanoseconds. The bound
 * of a bucket is at most an eighth above any duration in the bucket. Immutable.
 *
 * <p>The store does not time each operation: it times about one in 1,024 while operations are
 * short, and each one while they take 20 microseconds or more. A timed operation counts for all
 * operations since the previous timed one. So counts and sums are unbiased estimates, and {@link
 * #maxNanos} is the longest timed duration.
 */
public final class LatencyHistogram {
  private static final int SUB_BITS = 3;
  private static final int SUB_BUCKETS = 1 << SUB_BITS;
  private static final int EXPONENT_MAX = 41;

  /** The number of buckets. */
  public static final int BUCKETS = (EXPONENT_MAX - SUB_BITS + 2) << SUB_BITS;

  private static final LatencyHistogram EMPTY = new LatencyHistogram(new long[BUCKETS], 0, 0);

  private final long[] counts;
  private final long count;
  private final long sumNanos;
  private final long maxNanos;

  /**
   * Creates a histogram. For implementations of the API.
   *
   * @param counts how many operations are in each of the {@link #BUCKETS} buckets; copied
   * @param sumNanos the sum of their durations, in nanoseconds
   * @param maxNanos the longest duration, in nanoseconds
   * @throws IllegalArgumentException if there are not {@link #BUCKETS} counts
   */
  public LatencyHistogram(long[] counts, long sumNanos, long maxNanos) {
    if (counts.length != BUCKETS) {
      throw new IllegalArgumentException(
          "a histogram has %d buckets, and %d counts were given".formatted(BUCKETS, counts.length));
    }
    this.counts = counts.clone();
    this.count = Arrays.stream(counts).sum();
    this.sumNanos = sumNanos;
    this.maxNanos = maxNanos;
  }

  /**
   * Returns a histogram of no operations.
   *
   * @return the empty histogram, the same one each time
   */
  public static LatencyHistogram empty() {
    return EMPTY;
  }

  /**
   * Returns the bucket of a duration.
   *
   * @param nanos the duration in nanoseconds. A negative one counts as 0; one of 2^42 nanoseconds
   *     (73 minutes) or more is in the last bucket
   * @return the bucket, from 0 to {@link #BUCKETS} - 1
   */
  public static int bucket(long nanos) {
    if (nanos < SUB_BUCKETS) {
      return (int) Math.max(0, nanos);
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (exponent > EXPONENT_MAX) {
      return BUCKETS - 1;
    }
    int sub = (int) (nanos >>> (exponent - SUB_BITS)) & (SUB_BUCKETS - 1);
    return ((exponent - SUB_BITS + 1) << SUB_BITS) + sub;
  }

  /**
   * Returns the longest duration of a bucket, in nanoseconds. The last bucket also counts longer
   * durations.
   *
   * @param bucket from 0 to {@link #BUCKETS} - 1
   * @return the bound, inclusive
   */
  public static long boundNanos(int bucket) {
    if (bucket < SUB_BUCKETS) {
      return bucket;
    }
    int shift = (bucket >>> SUB_BITS) - 1;
    long sub = (bucket & (SUB_BUCKETS - 1)) | (long) SUB_BUCKETS;
    return ((sub + 1) << shift) - 1;
  }

  /**
   * Returns the number of operations.
   *
   * @return the number of operations
   */
  public long count() {
    return count;
  }

  /**
   * Returns the sum of all durations.
   *
   * @return the sum of all durations, in nanoseconds
   */
  public long sumNanos() {
    return sumNanos;
  }

  /**
   * Returns the mean duration in nanoseconds.
   *
   * @return the mean duration in nanoseconds, 0 if there was no operation
   */
  public double meanNanos() {
    return count == 0 ? 0 : (double) sumNanos / count;
  }

  /**
   * Returns the longest duration that was timed.
   *
   * @return the longest duration that was timed, in nanoseconds; 0 if there was no operation
   */
  public long maxNanos() {
    return maxNanos;
  }

  /**
   * Returns a percentile: the duration that a given part of the operations did not exceed. It is
   * the bound of a bucket, so it is at most an eighth too long.
   *
   * @param percent the part in percent, from 0 to 100; 99 for the 99th percentile
   * @return the duration in nanoseconds; 0 if there was no operation
   * @throws IllegalArgumentException if {@code percent} is not from 0 to 100
   */
  public long percentileNanos(double percent) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException(
          "a percentile is from 0 to 100, and " + percent + " was asked for");
    }
    long wanted = Math.max(1, (long) Math.ceil(count * percent / 100));
    long seen = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      seen += counts[bucket];
      if (seen >= wanted) {
        return Math.min(boundNanos(bucket), maxNanos);
      }
    }
    return 0;
  }

  /**
   * Returns the number of operations in the buckets whose bound does not exceed a duration.
   *
   * @param nanos the duration in nanoseconds
   * @return the number of operations
   */
  public long countUpTo(long nanos) {
    long upTo = 0;
    for (int bucket = 0; bucket < BUCKETS && boundNanos(bucket) <= nanos; bucket++) {
      upTo += counts[bucket];
    }
    return upTo;
  }

  /**
   * Returns the operations since an earlier histogram of the same store. Their longest duration is
   * not known; {@link #maxNanos} of the result is the smaller one of this histogram's and the bound
   * of the last bucket that has one of these operations.
   *
   * @param earlier a histogram that the same store returned before
   * @return a histogram of these operations only
   */
  public LatencyHistogram since(LatencyHistogram earlier) {
    long[] difference = new long[BUCKETS];
    long longest = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      difference[bucket] = Math.max(0, counts[bucket] - earlier.counts[bucket]);
      longest = difference[bucket] > 0 ? boundNanos(bucket) : longest;
    }
    return new LatencyHistogram(
        difference, Math.max(0, sumNanos - earlier.sumNanos), Math.min(longest, maxNanos));
  }

  /**
   * Returns count, mean, percentiles and maximum as a line of text.
   *
   * @return the line
   */
  @Override
  public String toString() {
    return "%d operations, mean %.1f us, 50 %% %.1f us, 99 %% %.1f us, 99.9 %% %.1f us, max %.1f us"
        .formatted(
            count,
            meanNanos() / 1e3,
            percentileNanos(50) / 1e3,
            percentileNanos(99) / 1e3,
            percentileNanos(99.9) / 1e3,
            maxNanos / 1e3);
  }
}
