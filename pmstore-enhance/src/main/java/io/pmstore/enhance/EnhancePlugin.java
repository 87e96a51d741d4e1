package io.pmstore.enhance;

import io.pmstore.enhance.Universe.KeptField;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import org.jspecify.annotations.Nullable;

/**
 * The plugin of Byte Buddy that enhances the classes of a build. The Maven and Gradle plugins of
 * Byte Buddy run it. A class that cannot be enhanced fails the build with {@link
 * EnhancementException}.
 *
 * <p>The plugin enhances each class that is annotated with {@link io.pmstore.Persistent} or
 * inherits the annotation, and its superclasses in the build. It rewrites all other classes that
 * use their fields. It does not change a class a second time.
 */
public final class EnhancePlugin implements Plugin.WithPreprocessor {
  private final LocatedClasses classes = new LocatedClasses();
  private final Set<String> ofBuild = ConcurrentHashMap.newKeySet();
  private @Nullable Set<String> enhanced; // of this build; made when all classes are known
  private @Nullable Set<String> above;
  private volatile @Nullable ClassFileLocator ofEngine;

  /** Creates the plugin. Byte Buddy calls this constructor. */
  public EnhancePlugin() {}

  /** The classes of the build, with what a locator finds beside them. */
  private final class OfBuild implements Universe {
    private final ClassFileLocator locator;

    OfBuild(ClassFileLocator locator) {
      this.locator = locator;
    }

    @Override
    public @Nullable ClassFacts facts(String name) {
      return classes.find(name, locator);
    }

    @Override
    public boolean isEnhanced(ClassFacts type) {
      return type.isChanged() || enhanced(this).contains(type.name());
    }

    @Override
    public boolean isAbovePersistent(ClassFacts type) {
      return above(this).contains(type.name());
    }
  }

  @Override
  public void onPreprocess(TypeDescription type, ClassFileLocator locator) {
    ofEngine = locator;
    ofBuild.add(type.getInternalName());
    var _ = classes.find(type.getInternalName(), locator);
  }

  private synchronized Set<String> enhanced(Universe universe) {
    Set<String> found = enhanced;
    if (found == null) {
      found = new HashSet<>();
      for (String name : ofBuild) {
        ClassFacts facts = universe.facts(name);
        boolean isToBe = facts != null && facts.mayBeEnhanced() && universe.isPersistent(facts);
        for (ClassFacts k = isToBe ? facts : null; k != null; k = universe.superclass(k)) {
          if (ofBuild.contains(k.name())) {
            found.add(k.name());
          }
        }
      }
      enhanced = found;
    }
    return found;
  }

  /** Returns the superclasses and interfaces of the enhanced classes, from wherever they come. */
  private synchronized Set<String> above(Universe universe) {
    Set<String> found = above;
    if (found == null) {
      found = new HashSet<>();
      for (String name : enhanced(universe)) {
        universe.addAbove(name, found);
      }
      above = found;
    }
    return found;
  }

  @Override
  public boolean matches(TypeDescription target) {
    ClassFileLocator locator = ofEngine;
    if (locator == null || !ofBuild.contains(target.getInternalName())) {
      return false;
    }
    // Byte Buddy writes each class anew that matches, so only those do that have to be changed.
    Universe universe = new OfBuild(locator);
    ClassFacts facts = universe.facts(target.getInternalName());
    return facts != null && Enhancer.changes(universe, facts);
  }

  @Override
  public DynamicType.Builder<?> apply(
      DynamicType.Builder<?> builder, TypeDescription type, ClassFileLocator locator) {
    Universe universe = new OfBuild(locator);
    ClassFacts facts = universe.facts(type.getInternalName());
    if (facts == null) {
      throw new IllegalStateException("no class file of " + type.getName());
    }
    if (universe.isEnhanced(facts)) {
      checkSuperclasses(universe, facts);
    }
    return builder.visit(new Enhancer(universe, facts, true));
  }

  /** Fails the build if a superclass from elsewhere has persistent fields and is not enhanced. */
  private static void checkSuperclasses(Universe universe, ClassFacts facts) {
    for (KeptField kept : universe.allKept(facts)) {
      if (kept.owner().name().startsWith("java/")) {
        throw new EnhancementException(
            "class %s extends %s, whose fields a store does not keep; extend another class, and hold what it says in a field"
                .formatted(facts.binaryName(), kept.owner().binaryName()));
      }
      boolean isElements = CollectionCode.isElements(kept);
      if (!universe.isEnhanced(kept.owner())) {
        throw new EnhancementException(
            "class %s, %s of its superclass %s: that class comes from elsewhere and was not enhanced; enhance it where it is built, or %s"
                .formatted(
                    facts.binaryName(),
                    isElements ? "the elements" : "field " + kept.field().name(),
                    kept.owner().binaryName(),
                    isElements
                        ? "hold one in a field that is declared with an interface of java.util"
                        : "mark the field @Transient"));
      }
    }
  }

  @Override
  public void close() {}
}
