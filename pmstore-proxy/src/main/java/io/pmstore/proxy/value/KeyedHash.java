package io.pmstore.proxy.value;

/**
 * A universal hash function: the value of a polynomial modulo the prime 2<sup>61</sup> - 1 at a
 * secret point (Carter and Wegman 1979). Without the secret, an attacker cannot choose inputs that
 * collide more often than by chance. All bits of the hash codes are well spread.
 */
public final class KeyedHash {
  private static final long PRIME = (1L << 61) - 1;

  private KeyedHash() {}

  /** Hashes a text with a random secret. */
  public static int of(String text, long secret) {
    long place = place(secret);
    long hash = text.length();
    for (int i = 0; i < text.length(); i++) {
      hash = next(hash, place, text.charAt(i));
    }
    return folded(next(hash, place, 0));
  }

  /** Hashes a number with a random secret. */
  public static int of(long number, long secret) {
    long place = place(secret);
    long hash = next(number & 0xffff_ffffL, place, number >>> Integer.SIZE);
    return folded(next(hash, place, 0));
  }

  private static long place(long secret) {
    return reduced(secret & PRIME);
  }

  /** Adds a coefficient of the polynomial. */
  private static long next(long hash, long place, long coefficient) {
    long low = hash * place;
    long high = Math.multiplyHigh(hash, place); // below 2^58, since both factors are below 2^61
    return reduced(reduced((low & PRIME) + (high << 3 | low >>> 61)) + coefficient);
  }

  private static long reduced(long sum) {
    return sum >= PRIME ? sum - PRIME : sum;
  }

  private static int folded(long hash) {
    return (int) (hash ^ hash >>> 29);
  }
}
