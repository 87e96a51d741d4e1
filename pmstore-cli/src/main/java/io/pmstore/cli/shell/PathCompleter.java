package io.pmstore.cli.shell;

import io.pmstore.PmStoreException;
import io.pmstore.cli.path.PathException;
import io.pmstore.cli.path.StorePath;
import io.pmstore.cli.store.OpenedStore;
import java.util.List;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** Completes the names of commands and classes, and paths by what is in the store. */
final class PathCompleter implements Completer {
  private static final int MAX = 200;

  private final OpenedStore store;
  private final List<String> commands;
  private final List<String> classes;

  PathCompleter(OpenedStore store, List<String> commands, List<String> classes) {
    this.store = store;
    this.commands = commands;
    this.classes = classes;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    if (line.wordIndex() == 0) {
      commands.forEach(command -> candidates.add(new Candidate(command)));
      return;
    }
    String command = line.words().getFirst();
    String word = line.word().substring(0, line.wordCursor());
    if (command.equals("find")) {
      classes.forEach(name -> candidates.add(new Candidate(name)));
    } else if (command.equals("show") || command.equals("why")) {
      paths(word)
          .forEach(
              path -> candidates.add(new Candidate(path, path, null, null, null, null, false)));
    }
  }

  /** Returns the paths that a word can become by one more step. */
  List<String> paths(String word) {
    int end = Math.max(word.lastIndexOf('.'), word.lastIndexOf('['));
    if (end < 0) {
      return store.generic().roots().keySet().stream()
          .map(StorePath::ofRoot)
          .filter(root -> root.startsWith(word))
          .toList();
    }
    String before = word.substring(0, end);
    Object at;
    try {
      at = StorePath.resolve(store.generic(), before);
    } catch (PathException | PmStoreException e) {
      return List.of(); // nothing there completes it
    }
    return at == null
        ? List.of()
        : StorePath.completions(at, MAX).stream()
            .map(step -> before + step)
            .filter(path -> path.startsWith(word))
            .toList();
  }
}
