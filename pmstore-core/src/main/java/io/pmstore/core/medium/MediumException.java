package io.pmstore.core.medium;

import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown if a call of the operating system fails. */
public final class MediumException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The error number. */
  private final int errno;

  /** True if the call that failed was a sync. */
  private final boolean ofSync;

  /**
   * Creates the exception.
   *
   * @param action what failed, with the file's name
   * @param errno the error number
   */
  public MediumException(String action, int errno) {
    this(action, errno, null);
  }

  /**
   * Creates the exception with its cause.
   *
   * @param action what failed, with the file's name
   * @param errno the error number
   * @param cause what reported it, or null
   */
  public MediumException(String action, int errno, @Nullable Throwable cause) {
    this(action, errno, cause, false);
  }

  private MediumException(String action, int errno, @Nullable Throwable cause, boolean ofSync) {
    super(
        action
            + ": "
            + NativeCalls.message(errno)
            + switch (errno) {
              case NativeCalls.EFBIG ->
                  ", over the limit of the process (ulimit -f) or of the file system";
              case NativeCalls.EMFILE -> ", over the limit of the process (ulimit -n)";
              default -> "";
            },
        cause);
    this.errno = errno;
    this.ofSync = ofSync;
  }

  /**
   * Returns the exception for a failed sync. Whatever its reason is, what was written before may be
   * lost, so it is never {@link #noRoom}.
   *
   * @param file what was to be synced
   * @param errno the error number
   */
  public static MediumException ofSync(Object file, int errno) {
    return new MediumException("syncing " + file, errno, null, true);
  }

  /** Returns the error number. */
  public int errno() {
    return errno;
  }

  /** Returns true for an input or output error of the device: the data is lost, or may be. */
  public boolean isDeviceError() {
    return errno == NativeCalls.EIO;
  }

  /** Returns true if there is no such file. */
  public boolean isMissing() {
    return errno == NativeCalls.ENOENT;
  }

  /** Returns true if the process lacks the right to do it. */
  public boolean isNotPermitted() {
    return errno == NativeCalls.EACCES || errno == NativeCalls.EPERM;
  }

  /**
   * Returns true if there was no room: a full device, an exhausted quota or a file at its size
   * limit. There may be room later. Never true of a failed sync.
   */
  public boolean noRoom() {
    return !ofSync
        && (errno == NativeCalls.ENOSPC
            || errno == NativeCalls.EDQUOT
            || errno == NativeCalls.EFBIG);
  }
}
