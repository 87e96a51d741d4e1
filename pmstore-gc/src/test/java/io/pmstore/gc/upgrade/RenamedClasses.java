package io.pmstore.gc.upgrade;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * One version of classes whose names begin with {@code Any}: the classes of this package whose
 * names begin with three other letters instead, so that there can be several versions of one class.
 */
final class RenamedClasses extends ClassLoader {
  private static final String PACKAGE = RenamedClasses.class.getPackageName() + ".";
  private static final String PREFIX = "Any";

  private final String version;

  RenamedClasses(String version) {
    super(RenamedClasses.class.getClassLoader());
    this.version = version;
  }

  Class<?> load(String name) {
    try {
      return loadClass(PACKAGE + PREFIX + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    if (!name.startsWith(PACKAGE + PREFIX)
        || RenamedClasses.class.getResource(file(simple)) == null) {
      throw new ClassNotFoundException(name);
    }
    byte[] bytes = bytes(simple);
    return defineClass(name, bytes, 0, bytes.length);
  }

  /** The class files, which pmstore reads to see what methods do. */
  @Override
  public InputStream getResourceAsStream(String name) {
    String simple = name.substring(name.lastIndexOf('/') + 1);
    return simple.startsWith(PREFIX)
        ? new ByteArrayInputStream(bytes(simple.replace(".class", "")))
        : super.getResourceAsStream(name);
  }

  private String file(String simple) {
    return version + simple.substring(PREFIX.length()) + ".class";
  }

  /** The names have the same length, so nothing else in the file changes. */
  private byte[] bytes(String simple) {
    try (InputStream in = RenamedClasses.class.getResourceAsStream(file(simple))) {
      String renamed =
          new String(in.readAllBytes(), ISO_8859_1)
              .replace("/upgrade/" + version, "/upgrade/" + PREFIX);
      return renamed.getBytes(ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
