package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.pool.TypePool;

/** What the plugin and the agent do to one class, for Byte Buddy. */
final class Enhancer extends AsmVisitorWrapper.AbstractBase {
  private final Universe universe;
  private final ClassFacts facts;
  private final boolean mayHaveMoreMethods;

  /** Takes a class for which {@link #changes} is true. One that is loaded keeps its methods. */
  Enhancer(Universe universe, ClassFacts facts, boolean mayHaveMoreMethods) {
    this.universe = universe;
    this.facts = facts;
    this.mayHaveMoreMethods = mayHaveMoreMethods;
  }

  /** Returns true if a class is not as it has to be: it is to be enhanced, or uses such classes. */
  static boolean changes(Universe universe, ClassFacts facts) {
    if (facts.isChanged() || facts.name().endsWith("package-info")) {
      return false;
    }
    return universe.isEnhanced(facts)
        || usesFields(universe, facts)
        || universe.storesElements(facts)
        || universe.changesCollections(facts)
        || universe.givesToReflection(facts)
        || universe.makesFieldHandles(facts);
  }

  private static boolean usesFields(Universe universe, ClassFacts facts) {
    for (String owner : facts.owners()) {
      if (!owner.startsWith("java/")) {
        for (ClassFacts k = universe.facts(owner); k != null; k = universe.superclass(k)) {
          boolean hasKept = k.fields().values().stream().anyMatch(FieldFacts::isKept);
          if (hasKept && universe.isEnhanced(k)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @Override
  public int mergeWriter(int flags) {
    // The enhanced class is of a version that has stack maps.
    boolean isToHaveStackMaps = universe.isEnhanced(facts) && facts.hasNoStackMaps();
    return flags | (isToHaveStackMaps ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS);
  }

  @Override
  public ClassVisitor wrap(
      TypeDescription instrumentedType,
      ClassVisitor classVisitor,
      Implementation.Context implementationContext,
      TypePool typePool,
      FieldList<FieldDescription.InDefinedShape> fields,
      MethodList<?> methods,
      int writerFlags,
      int readerFlags) {
    return new ClassEnhancer(classVisitor, universe, facts, mayHaveMoreMethods);
  }
}
