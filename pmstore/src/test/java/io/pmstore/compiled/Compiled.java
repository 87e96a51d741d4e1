package io.pmstore.compiled;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Classes compiled from source in memory, and loaded by a class loader of their own, where they
 * hide classes of the same names that the tests have.
 */
public final class Compiled extends ClassLoader {
  private final Map<String, byte[]> classes;

  private Compiled(Map<String, byte[]> classes) {
    super(Compiled.class.getClassLoader());
    this.classes = classes;
  }

  /**
   * Compiles one source file, of any name.
   *
   * @param source its text
   * @return a class loader that has its classes
   */
  public static Compiled of(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    Map<String, ByteArrayOutputStream> made = new HashMap<>();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Random.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaFileManager files =
        new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name + ".class"), kind) {
              @Override
              public OutputStream openOutputStream() {
                return made.computeIfAbsent(name, n -> new ByteArrayOutputStream());
              }
            };
          }
        };
    List<String> options =
        List.of("-g", "-classpath", apiLocation(), "-proc:none", "-XDuseUnsharedTable=true");
    if (!compiler.getTask(null, files, diagnostics, options, null, List.of(file)).call()) {
      throw new AssertionError(diagnostics.getDiagnostics() + "\n" + source);
    }
    Map<String, byte[]> classes = new HashMap<>();
    made.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return new Compiled(classes);
  }

  /** Returns the same classes without one, as if another jar had it, which is missing. */
  public Compiled without(String name) {
    Map<String, byte[]> others = new HashMap<>(classes);
    if (others.remove(name) == null) {
      throw new IllegalArgumentException(
          "found no class %s in %s".formatted(name, classes.keySet()));
    }
    return new Compiled(others);
  }

  private static String apiLocation() {
    try {
      return java.nio.file.Path.of(
              io.pmstore.Persistent.class
                  .getProtectionDomain()
                  .getCodeSource()
                  .getLocation()
                  .toURI())
          .toString();
    } catch (java.net.URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!classes.containsKey(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  /** The class files, which pmstore reads to see what methods do. */
  @Override
  public java.io.InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(".class")
            ? classes.get(name.substring(0, name.length() - 6).replace('/', '.'))
            : null;
    return bytes == null
        ? super.getResourceAsStream(name)
        : new java.io.ByteArrayInputStream(bytes);
  }
}
