package io.pmstore.proxy.image;

import io.pmstore.spi.EnhancedObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The enhanced classes in the directories and jars of a class path. */
final class ImageClassPath {
  private static final String SUFFIX = ".class";
  private static final String INTERFACE = EnhancedObject.class.getName().replace('.', '/');

  private final Set<String> all = new HashSet<>();
  private final SortedSet<String> enhanced = new TreeSet<>();

  /**
   * Reads the class files.
   *
   * @param entries directories and jars; what is neither, or not there, has no classes
   */
  ImageClassPath(Collection<Path> entries) {
    for (Path entry : entries) {
      try {
        if (Files.isDirectory(entry)) {
          read(entry);
        } else if (Files.isRegularFile(entry)) {
          try (FileSystem jar = FileSystems.newFileSystem(entry)) {
            read(jar.getPath("/"));
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(
            "the enhanced classes of %s cannot be found: %s".formatted(entry, e), e);
      }
    }
  }

  private void read(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = root.relativize(file).toString();
        if (name.endsWith(SUFFIX) && !name.startsWith("META-INF") && !name.contains("-")) {
          String className = name.substring(0, name.length() - SUFFIX.length()).replace('/', '.');
          all.add(className);
          if (isEnhanced(Files.readAllBytes(file))) {
            enhanced.add(className);
          }
        }
      }
    }
  }

  private static boolean isEnhanced(byte[] bytes) {
    try {
      ClassModel model = ClassFile.of().parse(bytes);
      return model.interfaces().stream()
          .anyMatch(implemented -> implemented.asInternalName().equals(INTERFACE));
    } catch (IllegalArgumentException e) {
      return false; // no class file of this JDK, so no class of the image
    }
  }

  /** Returns the binary names of the enhanced classes. */
  SortedSet<String> enhanced() {
    return enhanced;
  }

  /**
   * Returns the binary names of a class and of those that are declared around it and inside of
   * these, whose class files an examination reads together.
   */
  SortedSet<String> around(String className) {
    String simple = className.substring(className.lastIndexOf('.') + 1);
    int dollar = simple.indexOf('$', 1);
    String outermost =
        dollar < 0
            ? className
            : className.substring(0, className.length() - simple.length() + dollar);
    SortedSet<String> around = new TreeSet<>();
    for (String other : all) {
      if (other.equals(outermost) || other.startsWith(outermost + "$")) {
        around.add(other);
      }
    }
    return around;
  }
}
