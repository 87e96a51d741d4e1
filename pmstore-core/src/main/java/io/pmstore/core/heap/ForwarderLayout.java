package io.pmstore.core.heap;

/**
 * The layout of a forwarder, which is at the home of an object whose fields have moved. It is an
 * object of a shape of the store's own, with one reference, so that a walk of the heap treats it
 * like any other object.
 *
 * <pre>
 *   0        8        16
 *  +--------+--------+-------------------------
 *  | header | body   | undefined, to the home's size
 *  +--------+--------+-------------------------
 * </pre>
 *
 * <p>The header keeps the size of the home. The body is no forwarder: when the fields move again,
 * the home gets the new address.
 */
public final class ForwarderLayout {
  /** The name under which the catalogue has the shape. */
  public static final String CLASS_NAME = "pmstore.forwarder";

  /** Offset of the body's address. */
  public static final int BODY_OFFSET = 8;

  /** The size of the shape, in bytes; no object is smaller. */
  public static final int SIZE = 16;

  private ForwarderLayout() {}
}
