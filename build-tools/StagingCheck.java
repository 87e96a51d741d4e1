import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Checks a repository that {@code ./stage} has made: it has what Maven Central demands of each
 * artifact (a jar, sources, Javadoc, checksums, and a POM that says what it is, where it comes from
 * and who may use it), names no snapshot, holds every published module, and {@code pmstore-bom} has
 * the versions of all of them. A second build must have given the same bytes.
 *
 * <p>Arguments: the version, the directory that was built, the repository, and that of the second
 * build.
 */
final class StagingCheck {
  private static final String GROUP = "io/pmstore";
  private static final String PARENT = "pmstore-parent";
  private static final String BOM = "pmstore-bom";
  private static final String MAVEN_PLUGIN = "pmstore-maven-plugin"; // no dependency of anybody

  private final String version;
  private final Path repository;
  private final List<String> faults = new ArrayList<>();

  private StagingCheck(String version, Path repository) {
    this.version = version;
    this.repository = repository;
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 4) {
      System.err.println("arguments: VERSION SOURCES REPOSITORY SECOND-REPOSITORY");
      System.exit(2);
    }
    StagingCheck check = new StagingCheck(args[0], Path.of(args[2]));
    Set<String> artifacts = check.publishedModules(Path.of(args[1]));
    check.hasNothingElse(artifacts);
    for (String artifact : artifacts) {
      check.check(artifact);
    }
    check.bomIsComplete(artifacts);
    check.isReproducible(Path.of(args[3]));
    if (!check.faults.isEmpty()) {
      check.faults.forEach(System.err::println);
      System.err.println("stage: FAILED: " + check.faults.size() + " faults");
      System.exit(1);
    }
    System.out.printf(
        "stage: %d artifacts of version %s in %s, the same bytes twice%n",
        artifacts.size(), args[0], args[2]);
  }

  private void fault(String fault) {
    faults.add(fault);
  }

  /** Returns the modules of the root POM that do not say that they are not published. */
  private Set<String> publishedModules(Path sources) throws Exception {
    Set<String> published = new TreeSet<>(Set.of(PARENT));
    Element root = pom(sources.resolve("pom.xml"));
    for (Element module : children(child(root, "modules"), "module")) {
      Element pom = pom(sources.resolve(module.getTextContent()).resolve("pom.xml"));
      Element properties = child(pom, "properties");
      if (properties == null || child(properties, "maven.deploy.skip") == null) {
        published.add(child(pom, "artifactId").getTextContent());
      }
    }
    return published;
  }

  private void hasNothingElse(Set<String> artifacts) throws IOException {
    try (Stream<Path> directories = Files.list(repository.resolve(GROUP))) {
      // The index of plugins' prefixes is Maven's.
      for (Path directory : directories.filter(d -> Files.isDirectory(d)).toList()) {
        if (!artifacts.contains(directory.getFileName().toString())) {
          fault("published, though not to be: " + directory);
        }
      }
    }
  }

  private void check(String artifact) throws Exception {
    Path directory = repository.resolve(GROUP).resolve(artifact).resolve(version);
    String stem = artifact + "-" + version;
    Path pomFile = directory.resolve(stem + ".pom");
    if (!Files.exists(pomFile)) {
      fault(artifact + ": was not published: there is no " + pomFile);
      return;
    }
    checksums(pomFile);
    Element pom = pom(pomFile);
    says(artifact, pom);
    Element packaging = child(pom, "packaging");
    if (packaging == null || !packaging.getTextContent().equals("pom")) {
      for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
        jar(artifact, directory.resolve(stem + suffix));
      }
    }
  }

  /** Checks what Maven Central wants to read in a POM, where a parent may say it. */
  private void says(String artifact, Element pom) throws Exception {
    for (String element : List.of("name", "description")) {
      if (child(pom, element) == null) {
        fault(artifact + ": its POM has no <" + element + ">");
      }
    }
    Element parent = child(pom, "parent");
    Path parentFile =
        repository.resolve(Path.of(GROUP, PARENT, version, PARENT + "-" + version + ".pom"));
    Element above = parent == null || !Files.exists(parentFile) ? pom : pom(parentFile);
    for (String element : List.of("url", "licenses", "developers", "scm")) {
      if (child(pom, element) == null && child(above, element) == null) {
        fault(artifact + ": neither its POM nor its parent's has <" + element + ">");
      }
    }
    for (Element element : descendants(pom)) {
      boolean leaf = children(element, null).isEmpty();
      if (leaf && element.getTextContent().contains("SNAPSHOT")) {
        fault(artifact + ": its POM names a snapshot: " + element.getTextContent().strip());
      }
    }
  }

  private void jar(String artifact, Path file) throws Exception {
    if (!Files.exists(file)) {
      fault(artifact + ": there is no " + file.getFileName());
      return;
    }
    checksums(file);
    try (ZipFile zip = new ZipFile(file.toFile(), UTF_8)) {
      if (zip.stream().allMatch(e -> e.isDirectory() || e.getName().startsWith("META-INF/"))) {
        fault(artifact + ": nothing is in " + file.getFileName());
      }
    }
  }

  private void checksums(Path file) throws Exception {
    for (String algorithm : List.of("MD5", "SHA-1")) {
      Path sum = Path.of(file + "." + algorithm.toLowerCase().replace("-", ""));
      if (!Files.exists(sum) || !Files.readString(sum).strip().equals(digest(algorithm, file))) {
        fault(file.getFileName() + ": its " + algorithm + " is missing or wrong");
      }
    }
  }

  private void bomIsComplete(Set<String> artifacts) throws Exception {
    Set<String> expected = new TreeSet<>(artifacts);
    expected.removeAll(Set.of(PARENT, BOM, MAVEN_PLUGIN));
    Path file = repository.resolve(Path.of(GROUP, BOM, version, BOM + "-" + version + ".pom"));
    if (!Files.exists(file)) {
      return; // reported already
    }
    Element pom = pom(file);
    Set<String> named = new TreeSet<>();
    Element dependencies = child(child(pom, "dependencyManagement"), "dependencies");
    for (Element dependency : children(dependencies, "dependency")) {
      named.add(child(dependency, "artifactId").getTextContent());
      if (!child(dependency, "groupId").getTextContent().equals("io.pmstore")) {
        fault(BOM + ": manages the version of " + dependency.getTextContent().strip());
      }
    }
    if (!named.equals(expected)) {
      fault(BOM + ": names " + named + " where these are published: " + expected);
    }
    if (child(pom, "parent") != null) {
      fault(BOM + ": has a parent, whose versions would come with it");
    }
  }

  private void isReproducible(Path second) throws Exception {
    Set<Path> all = files(repository);
    all.addAll(files(second));
    for (Path file : all) {
      Path one = repository.resolve(file);
      Path other = second.resolve(file);
      if (!Files.exists(one) || !Files.exists(other)) {
        fault(file + ": one of two builds has not made it");
      } else if (!digest("SHA-256", one).equals(digest("SHA-256", other))) {
        fault(file + ": two builds gave different bytes: " + differences(one, other));
      }
    }
  }

  /** Returns the published files but the repository's own index, which has the time. */
  private static Set<Path> files(Path repository) throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      return new TreeSet<>(
          files
              .filter(Files::isRegularFile)
              .filter(f -> !f.getFileName().toString().startsWith("maven-metadata"))
              .map(repository::relativize)
              .toList());
    }
  }

  private static String differences(Path one, Path other) throws IOException {
    if (!one.toString().endsWith(".jar")) {
      return one + " and " + other;
    }
    Set<String> names = new TreeSet<>();
    try (ZipFile a = new ZipFile(one.toFile(), UTF_8);
        ZipFile b = new ZipFile(other.toFile(), UTF_8)) {
      Stream.concat(a.stream(), b.stream())
          .filter(
              e ->
                  a.getEntry(e.getName()) == null
                      || b.getEntry(e.getName()) == null
                      || a.getEntry(e.getName()).getCrc() != b.getEntry(e.getName()).getCrc())
          .forEach(e -> names.add(e.getName()));
    }
    return names.isEmpty() ? "the same entries, packed differently" : "entries " + names;
  }

  private static String digest(String algorithm, Path file)
      throws IOException, NoSuchAlgorithmException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
  }

  // ---- XML

  private static Element pom(Path file)
      throws IOException, ParserConfigurationException, SAXException {
    try (InputStream in = Files.newInputStream(file)) {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(in)
          .getDocumentElement();
    }
  }

  private static Element child(Element parent, String name) {
    List<Element> found = parent == null ? List.of() : children(parent, name);
    return found.isEmpty() ? null : found.get(0);
  }

  /** Returns the children of a name; all if the name is null. */
  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && (name == null || element.getTagName().equals(name))) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<Element> descendants(Element parent) {
    List<Element> found = new ArrayList<>();
    for (Element element : children(parent, null)) {
      found.add(element);
      found.addAll(descendants(element));
    }
    return found;
  }
}
