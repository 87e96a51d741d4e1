package io.pmstore.enhance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.bytebuddy.dynamic.ClassFileLocator;
import org.jspecify.annotations.Nullable;

/** The class files that a locator of Byte Buddy finds, each read once. Thread-safe. */
final class LocatedClasses {
  private final Map<String, Optional<ClassFacts>> known = new ConcurrentHashMap<>();

  /** Returns the facts of a class, named as class files spell it; null if it is not found. */
  @Nullable ClassFacts find(String name, ClassFileLocator locator) {
    Optional<ClassFacts> found = known.get(name);
    if (found == null) {
      found = read(name, locator);
      known.put(name, found);
    }
    return found.orElse(null);
  }

  private static Optional<ClassFacts> read(String name, ClassFileLocator locator) {
    try {
      ClassFileLocator.Resolution resolution = locator.locate(name.replace('/', '.'));
      return resolution.isResolved()
          ? Optional.of(FactsReader.read(resolution.resolve()))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("the class file of " + name + " cannot be read: " + e, e);
    }
  }

  /** Replaces what is known of a class. */
  void put(ClassFacts facts) {
    known.put(facts.name(), Optional.of(facts));
  }
}
