package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.image.PersistentClassesFeature;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * pmstore tells the builder of a native image what an enhanced program needs. No such builder is
 * here, so the tests compare that with what pmstore asks a JVM for when it runs the program.
 */
class NativeImageTest {
  private static final Pattern TYPE = Pattern.compile("\"type\": \"([^\"]+)\"");

  @TempDir Path directory;

  private Path enhanced;
  private ImageBuilder builder;

  @BeforeEach
  void build() throws Exception {
    enhanced = enhance("enhanced", NoGenerationTest.NAME, NoGenerationTest.SOURCE);
    builder = new ImageBuilder();
    run(
        Stream.concat(
                Stream.of(enhanced),
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .map(Path::of)
                    .filter(entry -> entry.toString().contains("pmstore-proxy")))
            .toList());
  }

  private Path enhance(String name, String className, String source) throws IOException {
    Path classes = ClassDirectory.compile(directory.resolve(name), className, source);
    return ClassDirectory.enhance(classes, directory.resolve(name).resolve("enhanced"));
  }

  private void run(List<Path> classPath) throws IOException {
    URL[] urls = {classPath.getFirst().toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls)) {
      builder.run(new PersistentClassesFeature(), classPath, loader);
    }
  }

  @Test
  void theImageHasTheClassesOfTheProgramAndWhatTheyReferTo() {
    for (String type : List.of("Desk", "Line", "Price", "Side")) {
      assertTrue(builder.types().contains("desk.Main$" + type), builder.types()::toString);
    }
    assertFalse(builder.types().contains("desk.Main"), "it is no persistent class");
    assertTrue(builder.members().contains("desk.Main$Desk.names"), builder.members()::toString);
    assertTrue(builder.members().contains("desk.Main$Price.amount"), builder.members()::toString);
    assertTrue(builder.allocated().contains("desk.Main$Line"), builder.allocated()::toString);
  }

  /** An examination reads the class files of all classes that share private members. */
  @Test
  void theImageHasTheClassFilesThatAnExaminationReads() {
    for (String file : List.of("", "$Desk", "$Line", "$Price", "$Side")) {
      String name = "desk/Main" + file + ".class";
      assertTrue(builder.resources().contains(name), builder.resources()::toString);
    }
  }

  @Test
  void theImageHasTheSubclassesOfCollectionClasses() {
    for (String type : List.of("ArrayList", "LinkedList", "Properties")) {
      String name = "io.pmstore.proxy.facade.Persistent" + type;
      assertTrue(builder.allocated().contains(name), builder.allocated()::toString);
      assertTrue(builder.members().contains(name + ".pmstore$target"), name);
    }
  }

  /** An image of a program that has no use for a part of a library is built all the same. */
  @Test
  void aClassThatCannotBeLoadedIsLeftOut() throws Exception {
    Path broken =
        enhance(
            "broken",
            "desk.Whole",
            """
            package desk;

            import io.pmstore.Persistent;

            @Persistent
            public class Whole {
              String text;

              @Persistent
              static class Broken {
                Missing missing;
              }

              static class Missing {}
            }
            """);
    Files.delete(broken.resolve("desk/Whole$Missing.class"));
    run(List.of(broken));
    assertTrue(builder.allocated().contains("desk.Whole"), builder.allocated()::toString);
    assertFalse(builder.allocated().contains("desk.Whole$Broken"), builder.allocated()::toString);
  }

  /** Whose members pmstore asks for when the program runs, the image has. */
  @Test
  void theImageHasAllThatTheProgramIsAskedFor() throws Exception {
    String output =
        AgentJarTest.run(
            "-Dorg.graalvm.nativeimage.imagecode=runtime",
            "-XX:+EnableDynamicAgentLoading",
            "-Djdk.attach.allowAttachSelf=true",
            "-cp",
            enhanced + File.pathSeparator + System.getProperty("java.class.path"),
            ReflectionRecorder.class.getName(),
            NoGenerationTest.NAME,
            directory.resolve("store").toString());
    assertTrue(output.contains("has [a0, a1]22t72"), output);
    Set<String> known = new TreeSet<>(builder.types());
    known.addAll(typesOfMetadata());
    Set<String> missing = new TreeSet<>();
    int found = 0;
    for (String line : output.lines().toList()) {
      if (line.startsWith(ReflectionRecorder.MARK)) {
        String asked = line.substring(ReflectionRecorder.MARK.length());
        String type = asked.substring(0, asked.indexOf(' '));
        found++;
        if (!known.contains(type)) {
          missing.add(asked);
        }
      }
    }
    assertTrue(found > 20, output);
    assertEquals(Set.of(), missing);
  }

  /** Returns the types in the metadata of pmstore's jars. */
  private static Set<String> typesOfMetadata() throws IOException {
    Set<String> types = new TreeSet<>();
    for (String module : List.of("pmstore-core", "pmstore-proxy")) {
      String name =
          "META-INF/native-image/io.pmstore/%s/reachability-metadata.json".formatted(module);
      try (InputStream in = NativeImageTest.class.getClassLoader().getResourceAsStream(name)) {
        assertNotNull(in, name);
        TYPE.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
            .results()
            .forEach(found -> types.add(found.group(1)));
      }
    }
    return types;
  }
}
