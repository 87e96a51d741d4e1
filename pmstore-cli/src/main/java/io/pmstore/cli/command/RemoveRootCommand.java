package io.pmstore.cli.command;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.util.Map;
import java.util.SortedMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "remove-root",
    description = {
      "Removes a root, durably. What it alone reaches becomes garbage.",
      "The program that makes this root creates a new, empty one at its next start."
    })
final class RemoveRootCommand extends StoreCommand {
  @Parameters(index = "1", paramLabel = "ROOT", description = "The name of the root.")
  private String root;

  @Override
  public Integer call() throws Exception {
    requireStore();
    String className;
    try (PmStore store = PmStore.open(directory, PmStoreOptions.defaults().gcInBackground(false))) {
      SortedMap<String, String> roots = store.roots();
      className = roots.get(root);
      if (className == null) {
        throw new Failure(
            "there is no root \"%s\"; the roots are %s".formatted(root, roots.keySet()));
      }
      store.removeRoot(root);
    }
    if (isJson()) {
      json(Map.of("root", root, "class", className));
    } else {
      line("removed root %s, an object of %s".formatted(root, className));
    }
    return PmCommand.OK;
  }
}
