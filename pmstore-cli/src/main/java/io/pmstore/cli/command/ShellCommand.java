package io.pmstore.cli.command;

import io.pmstore.cli.shell.Shell;
import io.pmstore.cli.store.OpenedStore;
import io.pmstore.cli.text.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Command;

@Command(
    name = "shell",
    description = {
      "A prompt for commands on one store, which stays open for reading; Tab completes paths.",
      "The commands are written without the directory: show exchange.orders[17]"
    })
final class ShellCommand extends StoreCommand {
  private static final Set<String> NOT_AT_THE_PROMPT =
      Set.of("shell", "import", "compact", "repair", "remove-root");

  @Override
  int run(OpenedStore store) throws IOException {
    Set<String> names = new TreeSet<>(PmCommand.parser(screen()).getSubcommands().keySet());
    names.removeAll(NOT_AT_THE_PROMPT);
    names.remove("upgrade"); // works with --dry-run only
    names.add("exit");
    line("%s; Tab completes, exit leaves".formatted(directory));
    screen().out().flush();
    return new Shell(
            store,
            List.copyOf(names),
            List.copyOf(ClassNames.all(store)),
            (screen, words) -> command(screen, store, words))
        .run();
  }

  private int command(Screen screen, OpenedStore store, String[] words) {
    if (NOT_AT_THE_PROMPT.contains(words[0])) {
      screen
          .err()
          .println("pm: " + words[0] + " does not work at the prompt; leave it with exit first");
      return PmCommand.FAILED;
    }
    List<String> args = new ArrayList<>(List.of(words));
    if (!words[0].startsWith("-") && !words[0].equals("help")) {
      args.add(1, directory.toString());
    }
    return PmCommand.run(screen, store, args.toArray(String[]::new));
  }
}
