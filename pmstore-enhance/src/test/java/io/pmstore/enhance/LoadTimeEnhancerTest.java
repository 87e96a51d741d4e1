package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.spi.EnhancedObject;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which classes the agent changes, by the order in which the JVM loads them. */
class LoadTimeEnhancerTest {
  @TempDir Path directory;

  private Path classes;

  @BeforeEach
  void compile() throws Exception {
    String sources = directory.resolve("src").toString();
    ClassDirectory.compile(
        directory, "acme.Base", "package acme; public class Base { protected int one; }");
    ClassDirectory.compile(
        directory,
        "acme.Sub",
        "package acme; @io.pmstore.Persistent public class Sub extends Base { int two; }",
        "-sourcepath",
        sources);
    classes =
        ClassDirectory.compile(
            directory,
            "acme.User",
            "package acme; class User { static int of(Base base) { return base.one; } }",
            "-sourcepath",
            sources);
  }

  private List<Boolean> changed(String... order) throws Exception {
    LoadTimeEnhancer agent = new LoadTimeEnhancer();
    Boolean[] changed = new Boolean[order.length];
    try (URLClassLoader loader = ClassDirectory.loader(classes, "acme.")) {
      for (int i = 0; i < order.length; i++) {
        byte[] file = Files.readAllBytes(classes.resolve("acme/" + order[i] + ".class"));
        changed[i] = agent.transform(loader, "acme/" + order[i], null, null, file) != null;
      }
    }
    return List.of(changed);
  }

  @Test
  void aSuperclassWithoutAnnotationIsEnhancedWithItsSubclass() throws Exception {
    assertEquals(List.of(true, true, true), changed("Sub", "Base", "User"));
    assertEquals(List.of(true, true, true), changed("Sub", "User", "Base"));
  }

  @Test
  void nothingIsHalfEnhanced() throws Exception {
    assertEquals(List.of(false, false, false), changed("Base", "Sub", "User"));
    assertEquals(List.of(false, false, false), changed("User", "Sub", "Base"));
  }

  private static boolean isChanged(LoadTimeEnhancer agent, ClassLoader loader, Path of, String name)
      throws Exception {
    byte[] file = Files.readAllBytes(of.resolve("acme/" + name + ".class"));
    return agent.transform(loader, "acme/" + name, null, null, file) != null;
  }

  /** Two programs on one application server, or two versions of one. */
  @Test
  void aClassOfAnotherLoaderWithItsNameDoesNotMatter() throws Exception {
    Path other =
        ClassDirectory.compile(
            directory.resolve("other"),
            "acme.Sub",
            "package acme; record Sub(int n) {} class Base { int one; } class Owner { int two; }");
    Path owner =
        ClassDirectory.compile(
            directory.resolve("owner"),
            "acme.Owner",
            "package acme; @io.pmstore.Persistent class Owner { int two; }");
    LoadTimeEnhancer agent = new LoadTimeEnhancer();
    try (URLClassLoader first = ClassDirectory.loader(other, "acme.");
        URLClassLoader second = ClassDirectory.loader(classes, "acme.");
        URLClassLoader third = ClassDirectory.loader(other, "acme.");
        URLClassLoader child = // asks the parent for files, but has classes of its own
            new URLClassLoader(new URL[] {owner.toUri().toURL()}, first)) {
      for (String name : List.of("Sub", "Base", "Owner")) {
        assertFalse(isChanged(agent, first, other, name));
      }
      assertTrue(isChanged(agent, second, classes, "Sub"));
      assertTrue(isChanged(agent, second, classes, "Base"));
      assertFalse(isChanged(agent, third, other, "Base"), "only the other one is needed");
      assertTrue(isChanged(agent, child, owner, "Owner"));
    }
  }

  @Test
  void nothingIsHalfEnhancedIfTheParentLoadsIt() throws Exception {
    LoadTimeEnhancer agent = new LoadTimeEnhancer();
    try (URLClassLoader parent = ClassDirectory.loader(classes, "acme.");
        URLClassLoader child = new URLClassLoader(new URL[0], parent)) {
      assertFalse(isChanged(agent, child, classes, "User"));
      assertFalse(isChanged(agent, parent, classes, "Sub"), "User uses Base, its superclass");
      assertFalse(isChanged(agent, parent, classes, "Base"));
    }
    agent = new LoadTimeEnhancer();
    try (URLClassLoader parent = ClassDirectory.loader(classes, "acme.");
        URLClassLoader child = new URLClassLoader(new URL[0], parent)) {
      assertTrue(isChanged(agent, child, classes, "Sub"));
      assertTrue(isChanged(agent, parent, classes, "Base"), "its subclass needs it");
    }
  }

  @Test
  void aClassThatNamesAClassOfALibraryThatIsNotThereIsEnhanced() throws Exception {
    String sources = directory.resolve("src").toString();
    ClassDirectory.compile(
        directory, "acme.Optional", "package acme; public class Optional<T> { public T value; }");
    ClassDirectory.compile(
        directory,
        "acme.Owner",
        "package acme; @io.pmstore.Persistent public class Owner {"
            + " int one; transient java.util.List<Optional<String>> other;"
            + " Optional<String> first() { return other.get(0); } }",
        "-sourcepath",
        sources);
    Files.delete(classes.resolve("acme/Optional.class"));
    assertEquals(List.of(true), changed("Owner"));
  }

  /** A record is a value. Its uses of the fields of persistent objects go through the store. */
  @Test
  void anAnnotatedRecordIsOnlyAUser() throws Exception {
    String sources = directory.resolve("src").toString();
    ClassDirectory.compile(
        directory,
        "acme.Line",
        "package acme; @io.pmstore.Persistent record Line(int n) {"
            + " int of(Sub sub) { return n + sub.two; } }",
        "-sourcepath",
        sources);
    ClassDirectory.compile(
        directory,
        "acme.Pair",
        "package acme; @io.pmstore.Persistent record Pair(int a, Object b) {}");
    assertEquals(List.of(true, true, false), changed("Sub", "Line", "Pair"));
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> sub = loader.loadClass("acme.Sub");
      Class<?> line = loader.loadClass("acme.Line");
      assertEquals(List.of(Record.class), List.of(line.getSuperclass()));
      assertFalse(EnhancedObject.class.isAssignableFrom(line));
      assertTrue(EnhancedObject.class.isAssignableFrom(sub));
    }
  }
}
