package io.pmstore.enhance.corpus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Downloads units and their dependencies with Maven, and finds their jars. */
final class UnitJars {
  private static final String PLUGIN =
      "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

  private static final String POM =
      """
      <project>
        <modelVersion>4.0.0</modelVersion>
        <groupId>corpus</groupId>
        <artifactId>%s</artifactId>
        <version>1</version>
        <packaging>pom</packaging>
        %s
      </project>
      """;

  private final Path directory;

  /** Takes a directory for the jars, which may have some from before. */
  UnitJars(Path directory) {
    this.directory = directory;
  }

  /** Downloads what is missing. A unit that cannot be had stays without jars. */
  void download(List<Unit> units, Path maven) throws IOException, InterruptedException {
    List<Unit> missing = units.stream().filter(unit -> !Files.exists(jar(unit))).toList();
    if (missing.isEmpty()) {
      return;
    }
    StringBuilder modules = new StringBuilder("<modules>");
    for (Unit unit : missing) {
      modules.append("<module>").append(name(unit)).append("</module>");
      Path pom = directory.resolve(name(unit)).resolve("pom.xml");
      Files.createDirectories(pom.getParent());
      Files.writeString(
          pom,
          POM.formatted(
              name(unit),
              "<dependencies><dependency><groupId>%s</groupId><artifactId>%s</artifactId><version>%s</version></dependency></dependencies>"
                  .formatted(unit.group(), unit.artifact(), unit.version())));
    }
    Path all = directory.resolve("pom.xml");
    Files.writeString(all, POM.formatted("all", modules.append("</modules>")));
    List<String> command = new ArrayList<>(List.of(maven.toString(), "-B", "-ntp", "-fae"));
    command.addAll(
        List.of(
            "-f",
            all.toString(),
            "-Dmaven.repo.local=" + directory.resolve("repository"),
            "-DincludeScope=runtime",
            "-DoutputDirectory=jars",
            PLUGIN));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("maven.log").toFile());
    builder.environment().remove("MAVEN_ARGS"); // may forbid to download
    int _ = builder.start().waitFor(); // the caller sees what is missing
  }

  private static String name(Unit unit) {
    return unit.group() + "_" + unit.artifact();
  }

  /** Returns the jar of a unit, which is there if the download worked. */
  Path jar(Unit unit) {
    return directory.resolve(name(unit)).resolve("jars").resolve(unit.jar());
  }

  /** Returns the jars that a unit depends on. */
  List<Path> libraries(Unit unit) throws IOException {
    Path own = jar(unit);
    Path jars = own.getParent();
    if (jars == null) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(jars)) {
      return files.filter(file -> !file.equals(own)).sorted().toList();
    }
  }
}
