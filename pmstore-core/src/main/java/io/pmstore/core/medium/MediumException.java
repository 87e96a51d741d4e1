package io.pmstore.core.medium;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call of the operating system failed. */
public final class MediumException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why, as a number. */
  private final int errno;

  /**
   * Creates the exception.
   *
   * @param action what was tried, with the file's name
   * @param errno why it failed
   */
  public MediumException(String action, int errno) {
    this(action, errno, null);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param action what was tried, with the file's name
   * @param errno why it failed
   * @param cause what reported it, or null
   */
  public MediumException(String action, int errno, @Nullable Throwable cause) {
    super(action + ": " + NativeCalls.message(errno), cause);
    this.errno = errno;
  }

  /**
   * Why the call failed.
   *
   * @return the error number
   */
  public int errno() {
    return errno;
  }

  /**
   * Says whether the reason was want of room, which may be there again later.
   *
   * @return true for a full device, a used-up quota or a file that may not get larger
   */
  public boolean noRoom() {
    return errno == NativeCalls.ENOSPC || errno == NativeCalls.EDQUOT || errno == NativeCalls.EFBIG;
  }
}
