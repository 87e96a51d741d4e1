package io.pmstore.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents show code that is compiled, and link to files and headings that exist. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern CODE =
      Pattern.compile("(?:<!-- code: (\\S+) -->\\s*)?```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern QUOTED_FILE =
      Pattern.compile("<!-- file: (\\S+) -->\\s*```\\w+\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");

  private static final Pattern ANCHOR = Pattern.compile("\\]\\((?!https?:)([^)#]*)#([^)]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);
  private static final Pattern BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(f -> f.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    assertTrue(documents.contains(ROOT.resolve("README.md")), "documents found: " + documents);
    return documents;
  }

  /** Layout differs between a page and a formatted source, so only the tokens count. */
  private static String tokens(String code) {
    return code.replaceAll("//[^\\n]*", "").replaceAll("\\s+", "");
  }

  @Test
  void javaInDocumentsIsCompiled() throws IOException {
    int blocks = 0;
    for (Path document : documents()) {
      Matcher code = CODE.matcher(Files.readString(document));
      while (code.find()) {
        blocks++;
        String where = document.getFileName() + ": the block\n" + code.group(2);
        assertTrue(
            code.group(1) != null, where + "\nnames no source: put <!-- code: path --> above");
        String source = tokens(Files.readString(ROOT.resolve(code.group(1))));
        assertTrue(source.contains(tokens(code.group(2))), where + "\nis not in " + code.group(1));
      }
    }
    assertTrue(blocks >= 2, "README's example was not found: " + blocks);
  }

  @Test
  void quotedFilesSayThat() throws IOException {
    for (Path document : documents()) {
      Matcher quoted = QUOTED_FILE.matcher(Files.readString(document));
      while (quoted.find()) {
        String source = Files.readString(ROOT.resolve(quoted.group(1))).replaceAll("\\s+", "");
        assertTrue(
            source.contains(quoted.group(2).replaceAll("\\s+", "")),
            document.getFileName()
                + ": the block\n"
                + quoted.group(2)
                + "\nis not in "
                + quoted.group(1));
      }
    }
  }

  @Test
  void linksLeadToFiles() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(document.getFileName() + " -> " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** The name that GitHub gives a heading. */
  private static String anchor(String heading) {
    return heading.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
  }

  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(BLOCK.matcher(Files.readString(document)).replaceAll(""));
    while (heading.find()) {
      anchors.add(anchor(heading.group(1)));
    }
    return anchors;
  }

  @Test
  void linksLeadToHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      Matcher link = ANCHOR.matcher(Files.readString(document));
      while (link.find()) {
        boolean here = link.group(1).isEmpty();
        Path target = here ? document : document.resolveSibling(link.group(1));
        if (target.toString().endsWith(".md") && !anchors(target).contains(link.group(2))) {
          broken.add(document.getFileName() + " -> " + link.group(1) + "#" + link.group(2));
        }
      }
    }
    assertEquals(List.of(), broken);
  }
}
