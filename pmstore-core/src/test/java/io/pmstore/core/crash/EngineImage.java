package io.pmstore.core.crash;

import io.pmstore.crash.Disk;

/** The disk after a power cut, as the next process finds it. */
final class EngineImage {
  private EngineImage() {}

  /** How the process that opens an image ends. */
  enum End {
    /** In the middle of its work. */
    KILL,
    /** The store is closed. */
    CLOSE,
    /** The store is closed, and opened again to be verified. */
    VERIFY
  }

  /** Opens an image, compares it with what it may hold, and ends. */
  static Commits.Found open(EngineRun.Setup setup, Disk image, Commits expected, End end)
      throws Exception {
    OpenStore store = start(setup, image.stopRecording());
    Commits.Found found;
    try {
      found = expected.read(store.engine().memory(), store.engine().position(), store.usedPages());
    } catch (Throwable e) {
      store.kill();
      throw e;
    }
    if (end == End.KILL) {
      store.kill();
      return found;
    }
    store.close();
    if (end == End.VERIFY) {
      verify(start(setup, image), expected, found);
    }
    return found;
  }

  private static OpenStore start(EngineRun.Setup setup, Disk image) throws Exception {
    RecordingMedium medium =
        new RecordingMedium(image, setup.directory().resolve("image"), call -> {});
    return OpenStore.open(
        setup.opener(), medium, medium.directory(), Thread.ofPlatform().daemon().factory());
  }

  /** A store that was closed holds what it held, and no checksum of a page is wrong. */
  private static void verify(OpenStore store, Commits expected, Commits.Found found) {
    try {
      Commits.Found again =
          expected.read(store.engine().memory(), store.engine().position(), store.usedPages());
      if (!again.equals(found)) {
        throw new AssertionError("closed with %s, opened with %s".formatted(found, again));
      }
      store
          .engine()
          .verify(
              (address, contents, wanted) -> {
                throw new AssertionError(
                    "verification finds at %d %s, not %s".formatted(address, contents, wanted));
              });
    } finally {
      store.kill();
    }
  }
}
