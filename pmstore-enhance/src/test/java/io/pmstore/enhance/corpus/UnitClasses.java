package io.pmstore.enhance.corpus;

import io.pmstore.corpus.CorpusLoader;
import io.pmstore.enhance.EnhancePlugin;
import io.pmstore.spi.EnhancedElements;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.build.EntryPoint;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.inline.MethodNameTransformer;

/** The classes of one jar: as they are, and enhanced together as a build enhances them. */
final class UnitClasses {
  // Guava, which a jar may have within a package of its own.
  private static final Pattern SHADED = Pattern.compile(".+\\.com\\.google\\..+");

  private final Map<String, byte[]> plain = new TreeMap<>();
  private final Map<String, byte[]> published = new TreeMap<>(); // with the annotation
  private final Map<String, ClassModel> models = new TreeMap<>();
  private final Map<String, byte[]> enhanced = new TreeMap<>();
  private final Map<String, String> refused = new TreeMap<>();
  private final List<String> domain = new ArrayList<>();

  /** Reads jars, and enhances each of their classes that has objects of its own. */
  UnitClasses(Path jar, List<Path> parts, ClassLoader libraries, Pattern names) throws IOException {
    read(jar);
    Set<String> own = Set.copyOf(models.keySet());
    for (Path part : parts) {
      read(part);
    }
    for (Map.Entry<String, ClassModel> entry : models.entrySet()) {
      if (own.contains(entry.getKey())
          && isDomainClass(entry.getValue())
          && names.matcher(entry.getKey()).matches()) {
        domain.add(entry.getKey());
      }
    }
    enhance(libraries);
  }

  private void read(Path jar) throws IOException {
    try (FileSystem files = FileSystems.newFileSystem(jar);
        Stream<Path> all = Files.walk(files.getPath("/"))) {
      for (Path file : all.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        String path = file.toString();
        if (!path.startsWith("/META-INF") && !path.endsWith("-info.class")) {
          byte[] bytes = Files.readAllBytes(file);
          ClassModel model = ClassFile.of().parse(bytes);
          String name = name(model.thisClass());
          plain.put(name, bytes);
          models.put(name, model);
        }
      }
    }
  }

  /** Returns the class files as they are, with the annotation, by the names of the classes. */
  Map<String, byte[]> plain() {
    return published;
  }

  /** Returns the enhanced class files, with those that only use them. */
  Map<String, byte[]> enhanced() {
    return enhanced;
  }

  /** Returns why the build failed for classes, by their names. */
  Map<String, String> refused() {
    return refused;
  }

  /**
   * Returns the names of the classes to try: concrete ones with instance state that are no builders
   * and extend no class of the JDK but a collection.
   */
  List<String> domain() {
    return domain;
  }

  /** Returns the classes to try that extend or implement a type, by its name. */
  List<String> implementers(String type) {
    return implementers.computeIfAbsent(
        type, name -> domain.stream().filter(one -> supertypes(one).contains(name)).toList());
  }

  private final Map<String, List<String>> implementers = new java.util.HashMap<>();

  private Set<String> supertypes(String name) {
    Set<String> found = new HashSet<>();
    collect(name, found);
    return found;
  }

  private void collect(String name, Set<String> found) {
    ClassModel model = models.get(name);
    if (found.add(name) && model != null) {
      model.superclass().ifPresent(above -> collect(name(above), found));
      model.interfaces().forEach(above -> collect(name(above), found));
    }
  }

  private static String name(ClassEntry type) {
    return type.asInternalName().replace('/', '.');
  }

  private void enhance(ClassLoader libraries) throws IOException {
    Set<String> annotated = new HashSet<>();
    models.forEach(
        (name, model) -> {
          if (isWholeClass(model)) {
            annotated.add(name);
          }
        });
    int before;
    do {
      before = refused.size();
      enhanced.clear();
      build(annotated, libraries);
      annotated.removeAll(refused.keySet());
    } while (refused.size() > before);
  }

  private void build(Set<String> annotated, ClassLoader libraries) throws IOException {
    Map<String, byte[]> source = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> entry : plain.entrySet()) {
      byte[] bytes =
          annotated.contains(entry.getKey())
              ? CorpusLoader.annotated(java.util.Objects.requireNonNull(models.get(entry.getKey())))
              : entry.getValue();
      source.put(entry.getKey().replace('.', '/') + ".class", bytes);
      published.put(entry.getKey(), bytes);
    }
    Plugin.Engine.Target.InMemory target = new Plugin.Engine.Target.InMemory();
    try (ClassFileLocator locator = ClassFileLocator.ForClassLoader.of(libraries)) {
      Plugin.Engine.Default.of(
              EntryPoint.Default.DECORATE,
              ClassFileVersion.ofThisVm(),
              MethodNameTransformer.Suffixing.withRandomSuffix())
          .with(locator)
          .withErrorHandlers(List.of(new Refusals()))
          .apply(
              new Plugin.Engine.Source.InMemory(source),
              target,
              List.of(new Plugin.Factory.Simple(new EnhancePlugin())));
    }
    target
        .getStorage()
        .forEach(
            (file, bytes) ->
                enhanced.put(file.substring(0, file.length() - 6).replace('/', '.'), bytes));
  }

  /** Notes which classes fail the build. */
  private final class Refusals implements Plugin.Engine.ErrorHandler {
    @Override
    public void onError(TypeDescription type, Plugin plugin, Throwable thrown) {
      refused.put(type.getName(), String.valueOf(thrown.getMessage()));
    }

    @Override
    public void onError(TypeDescription type, List<Throwable> thrown) {
      refused.putIfAbsent(type.getName(), String.valueOf(thrown.getFirst().getMessage()));
    }

    @Override
    public void onError(Map<TypeDescription, List<Throwable>> thrown) {}

    @Override
    public void onError(Plugin plugin, Throwable thrown) {
      throw new IllegalStateException(thrown);
    }

    @Override
    public void onLiveInitializer(TypeDescription type, TypeDescription defining) {}

    @Override
    public void onUnresolved(String type) {
      refused.put(type, "it cannot be resolved");
    }

    @Override
    public void onManifest(Manifest manifest) {}

    @Override
    public void onResource(String name) {}
  }

  /** A class that can have objects of its own, and is no part of a method. */
  private boolean isWholeClass(ClassModel model) {
    for (AccessFlag flag :
        List.of(AccessFlag.INTERFACE, AccessFlag.ENUM, AccessFlag.SYNTHETIC, AccessFlag.MODULE)) {
      if (model.flags().has(flag)) {
        return false;
      }
    }
    String above = model.superclass().map(UnitClasses::name).orElse("");
    return !SHADED.matcher(name(model.thisClass())).matches()
        && !above.equals("java.lang.Record")
        && !above.equals("java.lang.Enum")
        && (!extendsJdk(model) || EnhancedElements.superclass(top(model)) != null)
        && model.findAttribute(Attributes.enclosingMethod()).isEmpty();
  }

  /** An exception, a collection, a date: its state is in fields of the JDK. */
  private boolean extendsJdk(ClassModel model) {
    String top = top(model);
    return top.startsWith("java.") && !top.equals("java.lang.Object") && !top.isEmpty();
  }

  /** Returns the nearest superclass that is not of the unit. */
  private String top(ClassModel model) {
    String top = above(model);
    for (ClassModel k = models.get(top); k != null; k = models.get(top)) {
      top = above(k);
    }
    return top;
  }

  private boolean isDomainClass(ClassModel model) {
    return isWholeClass(model)
        && !model.flags().has(AccessFlag.ABSTRACT)
        && !name(model.thisClass()).endsWith("Builder")
        && (hasState(model) || extendsJdk(model));
  }

  private boolean hasState(ClassModel model) {
    for (ClassModel k = model; k != null; k = models.get(above(k))) {
      if (k.fields().stream().anyMatch(UnitClasses::isKept)) {
        return true;
      }
    }
    return false;
  }

  private static String above(ClassModel model) {
    return model.superclass().map(UnitClasses::name).orElse("");
  }

  private static boolean isKept(FieldModel field) {
    return !field.flags().has(AccessFlag.STATIC) && !field.flags().has(AccessFlag.TRANSIENT);
  }
}
