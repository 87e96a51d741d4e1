package io.pmstore.core.crash;

/**
 * A call of the medium that is about to have an effect.
 *
 * @param kind what it does
 * @param file to which file
 * @param offset of the first byte, or 0
 * @param length in bytes, or 0
 */
public record MediumCall(Kind kind, String file, long offset, long length) {
  /** What a call does. */
  public enum Kind {
    /** A file comes to be. */
    CREATE,
    /** A file gets another name. */
    RENAME,
    /** A file goes. */
    DELETE,
    /** Changes of the directory become durable. */
    SYNC_DIRECTORY,
    /** Bytes of a file change. */
    WRITE,
    /** Bytes written to a file become durable; the call before that is its beginning. */
    SYNC,
    /** A file becomes larger. */
    ALLOCATE,
    /** A file becomes smaller. */
    TRUNCATE,
    /** Mapped words change. */
    STORE,
    /** Stored bytes are flushed. */
    WRITE_BACK,
    /** Memory beside the file is given up. */
    RELEASE
  }

  /** Is told of calls before they have their effect; may let other threads run. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Takes a call.
     *
     * @param call what is about to happen
     */
    void before(MediumCall call);
  }
}
