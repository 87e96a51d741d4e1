package io.pmstore.enhance;

import io.pmstore.spi.EnhancedClassFiles;
import java.lang.instrument.ClassFileTransformer;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.security.ProtectionDomain;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.MethodGraph;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.pool.TypePool;
import org.jspecify.annotations.Nullable;

/** Enhances classes when the JVM loads them. Thread-safe. */
final class LoadTimeEnhancer implements ClassFileTransformer {
  /** A persistent class of pmstore's own. */
  private static final String PREPARED = "io/pmstore/proxy/layer/PreparedBean";

  private static final int MESSAGE_MAX = 1000; // the JVM shows about as many characters

  private static final System.Logger LOG = System.getLogger(LoadTimeEnhancer.class.getName());

  /** The classes that one class loader finds, itself or through its parents. */
  private static final class OfLoader implements Universe {
    private final LocatedClasses classes = new LocatedClasses();
    private final ClassFileLocator locator;
    private final WeakReference<ClassLoader> loader;
    private final @Nullable OfLoader parent;
    private final Set<String> own = ConcurrentHashMap.newKeySet(); // that it has defined itself
    private final Set<String> plain = ConcurrentHashMap.newKeySet(); // loaded, not enhanced
    private final Set<String> needed = ConcurrentHashMap.newKeySet(); // superclasses
    private final Set<String> above = ConcurrentHashMap.newKeySet(); // of enhanced classes
    // A class that is not rewritten, by that from which it gets arrays.
    private final Map<String, String> unaware = new ConcurrentHashMap<>();

    OfLoader(ClassLoader loader, @Nullable OfLoader parent) {
      this.locator = ClassFileLocator.ForClassLoader.WeaklyReferenced.of(loader);
      this.loader = new WeakReference<>(loader);
      this.parent = parent;
    }

    /** Notes a class that the loader defines. */
    void define(ClassFacts facts) {
      own.add(facts.name());
      classes.put(facts);
    }

    private boolean isLoadedPlain(String name) {
      return plain.contains(name)
          || (parent != null && parent.isLoadedPlain(name) && isOfParent(name));
    }

    /**
     * Returns true if the parent may be the one that defines a class: both find the same file.
     * Programs on one server, and versions of one program, may have other classes of the same name.
     */
    private boolean isOfParent(String name) {
      String file = own.contains(name) ? null : file(name);
      return file != null && parent != null && file.equals(parent.file(name));
    }

    private @Nullable String file(String name) {
      ClassLoader from = loader.get();
      URL found = from == null ? null : from.getResource(name + ".class");
      return found == null ? null : found.toString();
    }

    /**
     * Has a class be enhanced, because one that extends it is; not a class of the JDK, which {@link
     * LoadTimeEnhancer#transform} leaves alone.
     */
    void need(String name) {
      if (!isOfJdk(name)) {
        addNeeded(name);
      }
    }

    private void addNeeded(String name) {
      needed.add(name);
      if (parent != null && isOfParent(name)) {
        parent.addNeeded(name);
      }
    }

    private static boolean isOfJdk(String name) {
      return ClassLoader.getPlatformClassLoader().getResource(name + ".class") != null;
    }

    @Override
    public @Nullable ClassFacts facts(String name) {
      return classes.find(name, locator);
    }

    @Override
    public boolean isEnhanced(ClassFacts type) {
      if (type.isChanged()) {
        return true;
      }
      if (isLoadedPlain(type.name())) {
        return false;
      }
      boolean isToBe = isToBe(type);
      if (!isToBe) {
        keepPlain(type.name()); // code that is told so uses its fields as they are
      }
      return isToBe;
    }

    @Override
    public boolean isAbovePersistent(ClassFacts type) {
      return isAbove(type.name());
    }

    private boolean isAbove(String name) {
      return above.contains(name) || (parent != null && parent.isAbove(name));
    }

    /** Notes what objects of an enhanced class may be known as. */
    void noteAbove(ClassFacts type) {
      Set<String> found = new HashSet<>();
      addAbove(type.name(), found);
      for (OfLoader k = this; k != null; k = k.parent) {
        k.above.addAll(found);
        for (String each : found) {
          String user = k.unaware.remove(each);
          if (user != null) {
            LOG.log(
                System.Logger.Level.WARNING,
                "class {0} was loaded before {1}, and changes arrays that methods of {2} return: if"
                    + " they are of a persistent object, the changes are not stored; enhance these"
                    + " classes when they are built, or load {1} earlier",
                user.replace('/', '.'),
                type.binaryName(),
                each.replace('/', '.'));
          }
        }
      }
    }

    /** Notes what a class that stores elements gets arrays from, if that may be persistent. */
    void noteGivers(ClassFacts user) {
      if (user.storesElements() && !user.isChanged() && !user.isChecked()) {
        for (String giver : user.givers()) {
          if (!giver.startsWith("java/") && !giver.startsWith("[")) {
            unaware.putIfAbsent(giver, user.name());
          }
        }
      }
    }

    /** Has a class stay as it is, for good. */
    void keepPlain(String name) {
      if (plain.add(name) && parent != null && isOfParent(name)) {
        parent.keepPlain(name);
      }
    }

    private boolean isToBe(ClassFacts type) {
      boolean isGenerated = (type.access() & Opcodes.ACC_SYNTHETIC) != 0;
      boolean mayBe = type.mayBeEnhanced() && !isGenerated && !type.name().equals(PREPARED);
      if (!mayBe || !(needed.contains(type.name()) || isPersistent(type))) {
        return false;
      }
      for (ClassFacts k = superclass(type); k != null; k = superclass(k)) {
        if (isLoadedPlain(k.name()) && k.hasKeptFields()) {
          LOG.log(
              System.Logger.Level.WARNING,
              "class {0} is not enhanced, because its superclass {1} was loaded before and is not"
                  + " annotated with @Persistent; annotate it, or enhance both when they are"
                  + " built",
              type.binaryName(),
              k.binaryName());
          return false;
        }
      }
      return true;
    }
  }

  private final Map<ClassLoader, OfLoader> loaders = new WeakHashMap<>();

  private OfLoader of(ClassLoader loader) {
    synchronized (loaders) {
      OfLoader known = loaders.get(loader);
      if (known == null) {
        ClassLoader parent = loader.getParent();
        boolean isOfJdk = parent == null || parent.equals(ClassLoader.getPlatformClassLoader());
        known = new OfLoader(loader, isOfJdk ? null : of(parent));
        loaders.put(loader, known);
      }
      return known;
    }
  }

  /** Returns true if a class may be one of the program, and not of the JDK or of pmstore. */
  boolean isOfProgram(Class<?> type) {
    return !type.isArray()
        && !type.isPrimitive()
        && !type.isHidden()
        && isOfProgram(type.getClassLoader(), type.getName().replace('.', '/'));
  }

  private static boolean isOfProgram(@Nullable ClassLoader loader, @Nullable String name) {
    return loader != null
        && !loader.equals(ClassLoader.getPlatformClassLoader())
        && name != null
        && !name.startsWith("java/")
        && !name.startsWith("net/bytebuddy/")
        && !name.startsWith("io/pmstore/spi/")
        && !name.startsWith("io/pmstore/enhance/Load")
        && !name.equals(PREPARED);
  }

  /** Notes a class that was loaded before the agent, and that stays as it is. */
  void isLoadedAlready(Class<?> type) {
    String name = type.getName().replace('.', '/');
    OfLoader universe = of(type.getClassLoader());
    universe.own.add(name);
    universe.keepPlain(name);
  }

  /**
   * Returns true if the code of a loaded class uses fields of classes that are going to be
   * enhanced.
   */
  boolean usesFields(Class<?> loaded) {
    OfLoader universe = of(loaded.getClassLoader());
    ClassFacts facts = universe.facts(loaded.getName().replace('.', '/'));
    return facts != null && Enhancer.changes(universe, facts);
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    if (loader == null || name == null || !isOfProgram(loader, name)) {
      return null;
    }
    try {
      return enhanced(loader, classFile, redefined == null);
    } catch (Throwable t) {
      String refusal = "class " + name.replace('/', '.') + " is not loaded: it cannot be enhanced";
      LOG.log(System.Logger.Level.ERROR, refusal, t);
      return refused(refusal + ": " + (t instanceof EnhancementException ? t.getMessage() : t));
    }
  }

  /**
   * Returns a class file that no JVM loads. The JVM ignores what a transformer throws, and an empty
   * array too, and would go on with the class as it is.
   *
   * @param message takes the place of the class's name, which the JVM's error quotes
   */
  private static byte[] refused(String message) {
    ClassWriter file = new ClassWriter(0);
    String shown = message.substring(0, Math.min(message.length(), MESSAGE_MAX));
    file.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, shown, null, "java/lang/Object", null);
    file.visitEnd();
    return file.toByteArray();
  }

  private byte @Nullable [] enhanced(
      ClassLoader loader, byte[] classFile, boolean mayHaveMoreMethods) {
    OfLoader universe = of(loader);
    ClassFacts facts = FactsReader.read(classFile);
    universe.define(facts);
    if (universe.isEnhanced(facts)) {
      for (ClassFacts k = universe.superclass(facts); k != null; k = universe.superclass(k)) {
        universe.need(k.name());
      }
      universe.noteAbove(facts);
    }
    if (!Enhancer.changes(universe, facts)) {
      universe.noteGivers(facts);
      return null;
    }
    ClassFileLocator locator =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(facts.binaryName(), classFile), universe.locator);
    TypeDescription type = TypePool.Default.of(locator).describe(facts.binaryName()).resolve();
    // Decorated, a class may name classes of libraries that are not there, as the JVM allows it.
    byte[] enhanced =
        new ByteBuddy()
            .with(MethodGraph.Empty.INSTANCE)
            .decorate(type, locator)
            .visit(new Enhancer(universe, facts, mayHaveMoreMethods))
            .make()
            .getBytes();
    if (universe.isEnhanced(facts) && CollectionCode.isFor(facts.superName())) {
      EnhancedClassFiles.put(loader, facts.binaryName(), enhanced);
    }
    return enhanced;
  }
}
