package io.pmstore.model.probe;

import io.pmstore.model.cache.LruCache;
import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.memory.Ring;
import io.pmstore.model.profile.Profile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A memory that consists of numbers: caches and TLBs of given sizes and latencies, so many reads
 * under way, bandwidths, barriers. It computes the time that accesses would take, and disturbs it
 * as other programs do.
 */
final class SimulatedMemory implements ProbedMemory {
  private static final int LINE = 64;
  private static final int PAGE = 4096;

  /** A cache of lines, or a TLB of pages, and what missing it costs. */
  record Part(int units, double missNanos) {}

  /** The numbers. */
  record Numbers(
      long bytes,
      double baseNanos,
      List<Part> caches,
      List<Part> tlbs,
      int parallelism,
      double writeNanos,
      double appendNanos,
      double barrierNanos,
      double handOffNanos,
      double threadGigabytes,
      double readGigabytes,
      double writeGigabytes,
      int processors,
      double noise) {}

  private final Numbers numbers;
  private final SplittableRandom random;
  private final LruCache[] caches;
  private final LruCache[] tlbs;

  SimulatedMemory(Numbers numbers, long seed) {
    this.numbers = numbers;
    this.random = new SplittableRandom(seed);
    caches = caches(numbers.caches);
    tlbs = caches(numbers.tlbs);
  }

  private static LruCache[] caches(List<Part> parts) {
    return parts.stream().map(p -> new LruCache(p.units, 16)).toArray(LruCache[]::new);
  }

  /** Other programs: a little always, now and then a lot. */
  private double disturbed(double nanos) {
    double little = 1 + numbers.noise * random.nextDouble();
    return nanos * (random.nextInt(8) == 0 ? little * (1 + 2 * random.nextDouble()) : little);
  }

  private double read(long address) {
    double nanos = numbers.baseNanos;
    for (int i = 0; i < caches.length && !caches[i].use(address / LINE); i++) {
      nanos += numbers.caches.get(i).missNanos;
    }
    for (int i = 0; i < tlbs.length && !tlbs[i].use(address / PAGE); i++) {
      nanos += numbers.tlbs.get(i).missNanos;
    }
    return nanos;
  }

  @Override
  public Chase chase(Ring ring, int chains) {
    int[] at = ring.starts(chains);
    return reads -> {
      // Each chain waits for itself; all wait for one of the slots of reads under way.
      double[] ready = new double[chains];
      double[] slots = new double[numbers.parallelism];
      for (int i = 0; i < reads; i++) {
        for (int chain = 0; chain < chains; chain++) {
          int slot = 0;
          for (int s = 1; s < slots.length; s++) {
            slot = slots[s] < slots[slot] ? s : slot;
          }
          ready[chain] = Math.max(ready[chain], slots[slot]) + read(ring.offset(at[chain]));
          slots[slot] = ready[chain];
          at[chain] = ring.next(at[chain]);
        }
      }
      return disturbed(Arrays.stream(ready).max().orElseThrow());
    };
  }

  @Override
  public double writes(long region, int count) {
    return disturbed(numbers.writeNanos * count);
  }

  @Override
  public double stream(Stream stream) {
    double total = stream.isWrite() ? numbers.writeGigabytes : numbers.readGigabytes;
    int running = Math.min(stream.threads(), numbers.processors);
    double rate = Math.min(running * numbers.threadGigabytes, total);
    // Blocks that are not next to each other wait for their first line.
    double waiting =
        stream.pattern() == Pattern.SEQUENTIAL ? 0 : (double) stream.bytes() / stream.blockBytes();
    return disturbed(
        (double) stream.bytes() * stream.threads() / rate
            + waiting * numbers.baseNanos * stream.threads() / running);
  }

  @Override
  public double appends(int threads, int each, boolean durable) {
    double barrier = durable ? numbers.barrierNanos : 0;
    return disturbed((numbers.appendNanos * threads + barrier) * each);
  }

  @Override
  public double handOffs(int count) {
    return disturbed(numbers.handOffNanos * count);
  }

  @Override
  public double deviceReads(int count) {
    return Double.NaN;
  }

  @Override
  public Profile.Kind kind() {
    return Profile.Kind.MEMORY;
  }

  @Override
  public long bytes() {
    return numbers.bytes;
  }

  @Override
  public int processors() {
    return numbers.processors;
  }

  @Override
  public List<KnownCache> knownCaches() {
    return List.of();
  }

  @Override
  public Map<String, String> machine() {
    return Map.of("processor", "simulated");
  }

  @Override
  public void close() {}
}
