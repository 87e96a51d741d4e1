package io.pmstore.core.heap;

/**
 * What is left at an object's home when its fields have moved: an object of a shape of the store's
 * own, with one reference, so that whoever walks the heap needs to know nothing else of it.
 *
 * <pre>
 *   0        8        16
 *  +--------+--------+-------------------------
 *  | header | body   | undefined, to the home's size
 *  +--------+--------+-------------------------
 * </pre>
 *
 * <p>The header keeps the size of the home. The body is no forwarder: when the fields move again
 * the home is told where.
 */
public final class ForwarderLayout {
  /** The name under which the catalogue has the shape. */
  public static final String CLASS_NAME = "pmstore.forwarder";

  /** Where the address of the body is. */
  public static final int BODY_OFFSET = 8;

  /** The size of the shape, in bytes; no object is smaller. */
  public static final int SIZE = 16;

  private ForwarderLayout() {}
}
