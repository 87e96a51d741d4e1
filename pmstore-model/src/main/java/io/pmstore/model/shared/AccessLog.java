package io.pmstore.model.shared;

import org.jspecify.annotations.Nullable;

/**
 * Is told of each access of a recorded program, and passes it on. Only classes that {@code
 * RecordingLoader} has loaded call it: in all other programs recording does not exist.
 */
public final class AccessLog {
  /** Is told of accesses of one thread, or of all threads one at a time. */
  public interface Listener {
    /** Bytes of the heap are read. */
    void read(long address, int length);

    /** Bytes of the heap are written. */
    void write(long address, int length);

    /** The version of an object is read or changed, in a table in Java's heap. */
    void version(int index);

    /** Bytes are written to a file, in one record or page. */
    void fileWrite(String file, long length);

    /** A file is made durable. */
    void sync(String file);
  }

  private static volatile @Nullable Listener listener;
  private static volatile @Nullable Thread only;

  private AccessLog() {}

  /**
   * Begins to pass on accesses, or ends it.
   *
   * @param to null to end
   * @param thread whose accesses; null for those of all threads
   */
  public static synchronized void record(@Nullable Listener to, @Nullable Thread thread) {
    listener = null;
    only = thread;
    listener = to;
  }

  private static @Nullable Listener listening() {
    Listener to = listener;
    Thread thread = only;
    return to == null || (thread != null && !thread.equals(Thread.currentThread())) ? null : to;
  }

  /** Called before bytes of the heap are read. */
  public static void read(long address, int length) {
    Listener to = listening();
    if (to != null) {
      synchronized (to) {
        to.read(address, length);
      }
    }
  }

  /** Called before bytes of the heap are written. */
  public static void write(long address, int length) {
    Listener to = listening();
    if (to != null) {
      synchronized (to) {
        to.write(address, length);
      }
    }
  }

  /** Called before a version is read or changed. */
  public static void version(int index) {
    Listener to = listening();
    if (to != null) {
      synchronized (to) {
        to.version(index);
      }
    }
  }

  /** Called before bytes are written to a file. */
  public static void fileWrite(String file, long length) {
    Listener to = listening();
    if (to != null) {
      synchronized (to) {
        to.fileWrite(file, length);
      }
    }
  }

  /** Called before a file is made durable. */
  public static void sync(String file) {
    Listener to = listening();
    if (to != null) {
      synchronized (to) {
        to.sync(file);
      }
    }
  }
}
