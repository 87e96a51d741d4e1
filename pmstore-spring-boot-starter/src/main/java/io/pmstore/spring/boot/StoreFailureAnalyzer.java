package io.pmstore.spring.boot;

import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains what to do if an application does not start because of its store. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<RuntimeException> {
  @Override
  protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RuntimeException cause) {
    if (findCause(rootFailure, StoreDirectoryMissingException.class) != null) {
      return new FailureAnalysis(
          "The application has no directory for its store: the property pmstore.directory is not"
              + " set.",
          "Set pmstore.directory to a directory that only this store uses; it is created with the"
              + " store. Or define a bean of type io.pmstore.PmStore, or set"
              + " pmstore.enabled=false.",
          cause);
    }
    PmStoreException refusal = findCause(rootFailure, PmStoreException.class);
    return refusal == null ? null : new FailureAnalysis(text(refusal), action(refusal), refusal);
  }

  private static String text(PmStoreException refusal) {
    return "The store refused: " + refusal.getMessage();
  }

  private static @Nullable String action(PmStoreException refusal) {
    return switch (refusal) {
      case StoreLockedException e ->
          "Close the store where it is open: in another process, or in another application context"
              + " of this one. Contexts of tests stay open until the tests end, so give each a"
              + " pmstore.directory of its own, such as target/stores/${random.uuid}. To read a"
              + " store beside other readers, set pmstore.read-only=true in all of them.";
      case StoreFormatException e ->
          "Give pmstore.directory a directory that holds a store of this version, or an empty one.";
      case StoreDamagedException e ->
          "Check the store with PmStore.verify; restore a backup if its data are damaged.";
      default -> null;
    };
  }
}
