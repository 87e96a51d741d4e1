package io.pmstore.spring.boot;

import io.pmstore.NotLeaderException;
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
    StoreSettingsRefusedException settings =
        findCause(rootFailure, StoreSettingsRefusedException.class);
    if (settings != null) {
      return new FailureAnalysis(
          "The store refused its settings: " + settings.getMessage(),
          "Correct the properties pmstore.*. A setting of the engine that pmstore.engine.name names"
              + " is the property pmstore.engine.settings. with the setting's name after it;"
              + " docs/replication.md has a table of those of the engine raft.",
          settings);
    }
    StoreRootMissingException missing = findCause(rootFailure, StoreRootMissingException.class);
    if (missing != null) {
      return new FailureAnalysis(
          "The start gave up waiting: " + missing.getMessage() + ".",
          "The leader makes the roots when the application starts there, and a node leads once a"
              + " majority of the nodes runs. Start the application on the other nodes too, within"
              + " pmstore.ready-timeout, or set that to a longer time. Or inject an ObjectProvider"
              + " of the root: its getObject looks for the root when it is used, and the start"
              + " waits for nothing.",
          missing);
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
      case NotLeaderException e ->
          "Only the leader of a replicated store runs transactions. Let what runs when the"
              + " application starts write on that node only: PmStore.replication() has the role of"
              + " this node, and awaitReady waits until it has one.";
      default -> null;
    };
  }
}
