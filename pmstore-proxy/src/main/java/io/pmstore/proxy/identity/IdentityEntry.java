package io.pmstore.proxy.identity;

import java.lang.ref.WeakReference;

/** A weak reference to the Java object of an address. */
final class IdentityEntry extends WeakReference<Object> {
  private static final int LOW_BITS = 0xf;

  private final byte low;
  volatile boolean hidden;

  IdentityEntry(long address, Object object, boolean hidden) {
    super(object);
    this.low = (byte) (address & LOW_BITS);
    this.hidden = hidden;
  }

  /** Returns true if the address, which has this entry's place, is that of this entry. */
  boolean isOf(long address) {
    return low == (address & LOW_BITS);
  }

  /** Returns the address, whose other bits are those of the place. */
  long address(long place) {
    return place | low;
  }

  boolean isDead() {
    return refersTo(null);
  }
}
