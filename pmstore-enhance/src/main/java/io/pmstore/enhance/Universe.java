package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import io.pmstore.enhance.ClassFacts.MethodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The classes that the enhancer sees, and which of them are enhanced. */
interface Universe {
  /** A persistent field, with the class that declares it. */
  record KeptField(ClassFacts owner, FieldFacts field) {}

  /** Returns the facts of a class; null if there is no class file. */
  @Nullable ClassFacts facts(String name);

  /**
   * Returns true if a class is enhanced, or is going to be. Always the same for a class, whoever
   * asks.
   */
  boolean isEnhanced(ClassFacts type);

  /**
   * Returns the superclass of a class; null if that is {@code Object}, a collection class of the
   * JDK whose elements become a property, or unknown.
   */
  default @Nullable ClassFacts superclass(ClassFacts type) {
    String above = type.superName();
    return above == null || above.equals("java/lang/Object") || CollectionCode.isFor(above)
        ? null
        : facts(above);
  }

  /** Returns true if a class or one that it extends is annotated with {@code Persistent}. */
  default boolean isPersistent(ClassFacts type) {
    for (ClassFacts k = type; k != null; k = superclass(k)) {
      if (k.isAnnotated()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the persistent field that code names with a class; null if it is none. */
  default @Nullable KeptField kept(String owner, String field) {
    if (owner.startsWith("java/") || owner.startsWith("[")) {
      return null;
    }
    for (ClassFacts k = facts(owner); k != null; k = superclass(k)) {
      FieldFacts found = k.fields().get(field);
      if (found != null) {
        return found.isKept() && isEnhanced(k) ? new KeptField(k, found) : null;
      }
    }
    return null;
  }

  /**
   * Returns true if an object that code knows as one of a class or interface, which is not
   * persistent itself, may be of a persistent class.
   */
  boolean isAbovePersistent(ClassFacts type);

  /**
   * Returns true if the code of a class may store an element into an array that a persistent field
   * has given out, or give it to code that may: it stores or gives away some, and uses a class with
   * such fields, or a method of what may be such a class.
   */
  default boolean storesElements(ClassFacts type) {
    return type.storesElements()
        && !type.isChanged()
        && !type.isChecked()
        && (type.owners().stream().anyMatch(this::hasEnhancedArrays)
            || type.called().stream().anyMatch(this::hasArrays)
            || type.givers().stream().anyMatch(this::isAbovePersistent));
  }

  /**
   * Returns true if the code of a class may change a plain collection that a store has taken over:
   * it changes collections, and is persistent or uses a class that is.
   */
  default boolean changesCollections(ClassFacts type) {
    return type.changesCollections() && !type.isChecked() && usesPersistent(type);
  }

  /**
   * Returns true if the code of a class may give a persistent object to code that uses fields by
   * reflection. Any class that finds the hooks may give one to a library: a program has helpers for
   * that, which know none of its classes. Reflection of its own is seen to in classes that are
   * persistent or use such classes.
   */
  default boolean givesToReflection(ClassFacts type) {
    boolean mayGiveAny =
        type.givesToLibrary()
            && !ReflectiveCalls.isOfLibrary(type.name())
            && facts(Spi.REFLECTION) != null;
    return type.givesToReflection() && !type.isChecked() && (mayGiveAny || usesPersistent(type));
  }

  /**
   * Returns true if the code of a class makes a handle or an updater of a persistent field, which
   * would use the field past the store.
   */
  default boolean makesFieldHandles(ClassFacts type) {
    for (MethodFacts method : type.methods().values()) {
      for (FieldHandles.Named named : method.fieldHandles()) {
        if (named.isKnown() && kept(named.owner(), named.field()) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean usesPersistent(ClassFacts type) {
    return isPersistent(type)
        || type.called().stream().anyMatch(this::isPersistent)
        || type.called().stream().anyMatch(this::isAbovePersistent)
        || type.owners().stream().anyMatch(this::isPersistent);
  }

  private @Nullable ClassFacts factsOfProgram(String owner) {
    return owner.startsWith("java/") || owner.startsWith("[") ? null : facts(owner);
  }

  private boolean isPersistent(String owner) {
    ClassFacts facts = factsOfProgram(owner);
    return facts != null && isPersistent(facts);
  }

  /** Adds all superclasses and interfaces of a class, from wherever they come. */
  default void addAbove(String name, Set<String> to) {
    ClassFacts facts = factsOfProgram(name);
    if (facts != null) {
      List<String> above = new ArrayList<>(facts.interfaces());
      if (facts.superName() != null) {
        above.add(facts.superName());
      }
      for (String each : above) {
        if (to.add(each)) {
          addAbove(each, to);
        }
      }
    }
  }

  private boolean isAbovePersistent(String owner) {
    ClassFacts facts = factsOfProgram(owner);
    return facts != null && isAbovePersistent(facts);
  }

  private boolean hasArrays(String owner) {
    ClassFacts facts = factsOfProgram(owner);
    return facts != null
        && isPersistent(facts)
        && allKept(facts).stream().anyMatch(kept -> kept.field().isArray());
  }

  private boolean hasEnhancedArrays(String owner) {
    ClassFacts facts = factsOfProgram(owner);
    return facts != null
        && allKept(facts).stream()
            .anyMatch(kept -> kept.field().isArray() && isEnhanced(kept.owner()));
  }

  /** Returns the persistent fields of a class, those that it inherits first. */
  default List<KeptField> allKept(ClassFacts type) {
    List<KeptField> kept = new ArrayList<>();
    for (ClassFacts k = type; k != null; k = superclass(k)) {
      List<KeptField> own = new ArrayList<>();
      for (FieldFacts field : k.fields().values()) {
        if (field.isKept()) {
          own.add(new KeptField(k, field));
        }
      }
      kept.addAll(0, own);
    }
    return kept;
  }
}
