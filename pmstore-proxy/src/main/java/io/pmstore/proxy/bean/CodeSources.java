package io.pmstore.proxy.bean;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Examines the code sources of classes, and keeps the results as long as memory lasts. Safe for use
 * by any number of threads.
 */
final class CodeSources {
  /** The number of class files of one code source that are examined at most. */
  private static final int MAX_CLASSES = 100_000;

  // The results are names: they hold no class loader.
  private static final Map<ClassLoader, Map<String, SoftReference<CodeSourceFields>>> KNOWN =
      Collections.synchronizedMap(new WeakHashMap<>());

  private CodeSources() {}

  /** Returns what all classes of the code source of a class name; null if they cannot be listed. */
  static @Nullable CodeSourceFields around(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    CodeSource source = type.getProtectionDomain().getCodeSource();
    URL location = source == null ? null : source.getLocation();
    if (loader == null || location == null) {
      return null;
    }
    Map<String, SoftReference<CodeSourceFields>> ofLoader =
        KNOWN.computeIfAbsent(loader, l -> new HashMap<>());
    synchronized (ofLoader) {
      SoftReference<CodeSourceFields> known = ofLoader.get(location.toString());
      CodeSourceFields fields = known == null ? null : known.get();
      if (fields == null) {
        fields = read(location);
        if (fields != null) {
          ofLoader.put(location.toString(), new SoftReference<>(fields));
        }
      }
      return fields;
    }
  }

  private static @Nullable CodeSourceFields read(URL location) {
    CodeSourceFields fields = new CodeSourceFields();
    try {
      return switch (location.getProtocol()) {
        case "file" -> {
          Path path = Path.of(location.toURI());
          yield Files.isDirectory(path)
              ? readDirectory(fields, path)
              : readJar(fields, new JarFile(path.toFile()), "");
        }
        case "jrt" ->
            readDirectory(
                fields,
                FileSystems.getFileSystem(URI.create("jrt:/"))
                    .getPath("modules", location.getPath().substring(1)));
        default -> readNested(fields, location);
      };
    } catch (IOException | URISyntaxException | RuntimeException e) {
      return null; // the caller reports it, with a remedy
    }
  }

  /** Lists a jar inside a jar, as Spring Boot has them, through its own protocol. */
  private static @Nullable CodeSourceFields readNested(CodeSourceFields fields, URL location)
      throws IOException {
    URL jar =
        location.getProtocol().equals("jar")
            ? location
            : URI.create("jar:" + location + "!/").toURL();
    if (!(jar.openConnection() instanceof JarURLConnection connection)) {
      return null;
    }
    connection.setUseCaches(false);
    String entry = connection.getEntryName();
    return readJar(fields, connection.getJarFile(), entry == null ? "" : entry);
  }

  private static @Nullable CodeSourceFields readJar(
      CodeSourceFields fields, JarFile jar, String prefix) throws IOException {
    int count = 0;
    try (jar) {
      for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
        JarEntry entry = entries.nextElement();
        if (entry.getName().endsWith(".class") && entry.getName().startsWith(prefix)) {
          if (++count > MAX_CLASSES) {
            return null;
          }
          try (InputStream in = new BufferedInputStream(jar.getInputStream(entry))) {
            fields.add(in);
          }
        }
      }
    }
    return fields;
  }

  private static @Nullable CodeSourceFields readDirectory(CodeSourceFields fields, Path directory)
      throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(f -> f.toString().endsWith(".class")).limit(MAX_CLASSES + 1L).toList();
    }
    if (files.size() > MAX_CLASSES) {
      return null;
    }
    for (Path file : files) {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
        fields.add(in);
      }
    }
    return fields;
  }
}
