package io.pmstore.oms.targets;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** What a test of a target needs and may not have: then it is skipped, loudly. */
public final class Requirements {
  private Requirements() {}

  /** Aborts the test if the target cannot be had on this machine. */
  public static void require(TargetKind kind) {
    switch (kind) {
      case PMSTORE -> requireObjectLayer(kind);
      case PMSTORE_LLPL -> {
        requireObjectLayer(kind);
        String missing = NativeLibraries.missingForLlpl();
        if (missing != null) {
          skip(kind, missing);
        }
      }
      case SQLITE, POSTGRES -> {}
    }
  }

  private static void requireObjectLayer(TargetKind kind) {
    try {
      Path directory = Files.createTempDirectory("pmstore-probe");
      try {
        PmStore.open(directory).close();
      } catch (PmStoreException e) {
        // Any other failure is for the test itself to find.
        if (String.valueOf(e.getMessage()).contains("object layer was not found")) {
          skip(kind, e.getMessage());
        }
      } finally {
        Directories.delete(directory);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void skip(TargetKind kind, @Nullable String reason) {
    System.err.println("SKIPPED: a test of " + kind.label() + ": " + reason);
    Assumptions.abort(String.valueOf(reason));
  }
}
