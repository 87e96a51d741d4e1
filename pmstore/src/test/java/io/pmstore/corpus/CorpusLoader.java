package io.pmstore.corpus;

import io.pmstore.Persistent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Loads one code source, a jar or a directory of class files, with {@link Persistent} on its
 * classes and nothing else changed.
 */
public final class CorpusLoader extends URLClassLoader {
  private static final String UNCOMPILABLE = "Unresolved compilation problem";

  private static final Pattern DOMAIN =
      Pattern.compile(System.getProperty("pmstore.corpus.domain", ".*"));

  private final Map<String, byte[]> classes = new TreeMap<>();
  private final List<String> domainClasses = new ArrayList<>();
  private final CodeSource source;

  CorpusLoader(Path unit, List<Path> libraries) throws IOException {
    super(urls(unit, libraries), CorpusLoader.class.getClassLoader());
    source = new CodeSource(unit.toUri().toURL(), (Certificate[]) null);
    if (Files.isDirectory(unit)) {
      read(unit);
    } else {
      try (FileSystem jar = FileSystems.newFileSystem(unit)) {
        read(jar.getPath("/"));
      }
    }
  }

  private static URL[] urls(Path unit, List<Path> libraries) throws IOException {
    List<URL> urls = new ArrayList<>();
    urls.add(unit.toUri().toURL());
    for (Path library : libraries) {
      urls.add(library.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  private void read(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(f -> f.toString().endsWith(".class")).sorted().toList();
    }
    for (Path file : files) {
      String name = root.relativize(file).toString().replace('\\', '/');
      if (!name.startsWith("META-INF") && !name.endsWith("-info.class")) {
        byte[] bytes = Files.readAllBytes(file);
        ClassModel model = ClassFile.of().parse(bytes);
        String className = model.thisClass().asInternalName().replace('/', '.');
        if (isWholeClass(model)) {
          bytes = annotated(model);
          if (isDomainClass(model) && DOMAIN.matcher(className).matches()) {
            domainClasses.add(className);
          }
        }
        classes.put(className, bytes);
      }
    }
  }

  /** The names of the annotated classes that look like parts of a domain, abstract ones too. */
  List<String> domainClasses() {
    return domainClasses;
  }

  /**
   * The methods of a class, inherited ones too, that call {@code getClass()}, or pass an object to
   * what is no class of the JDK and makes a text of it by reflection.
   */
  Set<String> showingTheirClass(Class<?> type) {
    Set<String> found = new HashSet<>();
    for (Class<?> k = type; k != Object.class; k = k.getSuperclass()) {
      byte[] bytes = classes.get(k.getName());
      if (bytes != null) {
        for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
          if (method.code().stream()
              .flatMap(code -> code.elementStream())
              .anyMatch(
                  e ->
                      e instanceof InvokeInstruction call
                          && (call.name().equalsString("getClass") || isReflective(call)))) {
            found.add(method.methodName().stringValue());
          }
        }
      }
    }
    return found;
  }

  private static boolean isReflective(InvokeInstruction call) {
    return !call.owner().asInternalName().startsWith("java/")
        && call.type().stringValue().startsWith("(Ljava/lang/Object;");
  }

  /** A class that is not bound to another object, nor one of the JDK. */
  private static boolean isWholeClass(ClassModel model) {
    String above = model.superclass().map(s -> s.asInternalName()).orElse("");
    boolean isClass =
        !model.flags().has(AccessFlag.INTERFACE)
            && !model.flags().has(AccessFlag.ENUM)
            && !model.flags().has(AccessFlag.SYNTHETIC)
            && (above.equals("java/lang/Object") || !above.startsWith("java/"));
    boolean isBuilder = model.thisClass().asInternalName().endsWith("Builder"); // not of a domain
    return isClass && isTopOrStatic(model) && !isBuilder && !hasProblems(model);
  }

  /** A class that has fields, a setter and a constructor without arguments. */
  private static boolean isDomainClass(ClassModel model) {
    return model.methods().stream().anyMatch(CorpusLoader::isSetter)
        && model.methods().stream()
            .anyMatch(m -> m.methodName().equalsString("<init>") && takesNothing(m))
        && model.fields().stream().anyMatch(CorpusLoader::isKept);
  }

  private static boolean isTopOrStatic(ClassModel model) {
    return model.findAttribute(Attributes.enclosingMethod()).isEmpty()
        && model.findAttribute(Attributes.innerClasses()).stream()
            .flatMap(a -> a.classes().stream())
            .filter(i -> i.innerClass().equals(model.thisClass()))
            .allMatch(i -> i.has(AccessFlag.STATIC) && !i.has(AccessFlag.PRIVATE));
  }

  private static boolean takesNothing(MethodModel method) {
    return method.methodTypeSymbol().parameterCount() == 0;
  }

  private static boolean isSetter(MethodModel method) {
    return method.methodName().stringValue().startsWith("set")
        && !method.flags().has(AccessFlag.STATIC)
        && method.methodTypeSymbol().parameterCount() == 1;
  }

  private static boolean isKept(FieldModel field) {
    return !field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.TRANSIENT);
  }

  /** What a compiler leaves where a library of the class was missing. */
  private static boolean hasProblems(ClassModel model) {
    for (var entry : model.constantPool()) {
      if (entry.toString().contains(UNCOMPILABLE)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a class file with the annotation {@code Persistent}. */
  public static byte[] annotated(ClassModel model) {
    Annotation persistent = Annotation.of(Persistent.class.describeConstable().orElseThrow());
    List<Annotation> all = new ArrayList<>();
    model
        .findAttribute(Attributes.runtimeVisibleAnnotations())
        .ifPresent(a -> all.addAll(a.annotations()));
    all.add(persistent);
    return ClassFile.of()
        .transformClass(
            model,
            ClassTransform.dropping(e -> e instanceof RuntimeVisibleAnnotationsAttribute)
                .andThen(
                    ClassTransform.endHandler(
                        builder -> builder.with(RuntimeVisibleAnnotationsAttribute.of(all)))));
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = classes.get(name);
    return bytes == null
        ? super.findClass(name)
        : defineClass(name, bytes, 0, bytes.length, new ProtectionDomain(source, null));
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(".class")
            ? classes.get(name.substring(0, name.length() - 6).replace('/', '.'))
            : null;
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }

  @Override
  public void close() {
    try {
      super.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
