package io.pmstore.evolution.random;

import io.pmstore.PmStoreException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Compares objects of a store with what they should be. */
final class Check {
  private final Program program;
  private final Oracle oracle;
  private final Mirror mirror;
  private final Map<Entity, Map<Integer, Object>> expected;
  private final boolean nothingCanBeWritten;

  Check(
      Program program,
      Oracle oracle,
      Mirror mirror,
      Map<Entity, Map<Integer, Object>> expected,
      boolean nothingCanBeWritten) {
    this.program = program;
    this.oracle = oracle;
    this.mirror = mirror;
    this.expected = expected;
    this.nothingCanBeWritten = nothingCanBeWritten;
  }

  /** Compares all objects. */
  void all() {
    object(oracle.root);
    listed().forEach(this::object);
  }

  /** Compares some. */
  void some() {
    for (Entity entity : listed()) {
      if (program.random.nextInt(4) == 0) {
        object(entity);
      }
    }
  }

  @SuppressWarnings("unchecked") // of all objects
  private List<Entity> listed() {
    return (List<Entity>) expected.get(oracle.root).get(program.all.number);
  }

  private void object(Entity entity) {
    for (Member property : entity.type.allMembers()) {
      try {
        property(entity, property);
      } catch (PmStoreException e) {
        if (!nothingCanBeWritten
            || !property.mayBeMade()
            || !String.valueOf(e.getMessage()).contains("upgrade")) {
          throw new AssertionError("reading %s of %s".formatted(property, entity), e);
        }
      } catch (RuntimeException e) {
        throw new AssertionError("reading %s of %s".formatted(property, entity), e);
      }
    }
  }

  private void property(Entity entity, Member property) {
    Object real = mirror.read(entity, property);
    Object found = mirror.canonical(real);
    Object wanted = expected.get(entity).get(property.number);
    String what = "%s of %s".formatted(property, entity);
    if (!Objects.equals(wanted, found)) {
      throw new AssertionError("%s is %s instead of %s".formatted(what, found, wanted));
    }
    if (wanted instanceof Entity other && !other.isListed) {
      object(other);
    }
    if (real instanceof Collection || real instanceof Map) {
      if (!nothingCanBeWritten && mirror.read(entity, property) != real) {
        throw new AssertionError(what + " is another collection when it is read again");
      }
      lookUp(what, real, wanted);
    }
  }

  /** Finds by hash or order what iterating has found. */
  private void lookUp(String what, Object real, Object wanted) {
    if (real instanceof Map<?, ?> map) {
      ((Map<?, ?>) wanted)
          .forEach(
              (key, value) -> {
                Object found = mirror.canonical(map.get(mirror.element(key)));
                if (!Objects.equals(value, found)) {
                  throw new AssertionError(
                      "%s has %s for %s instead of %s".formatted(what, found, key, value));
                }
              });
    } else if (real instanceof Set<?> set) {
      for (Object element : (Set<?>) wanted) {
        if (!set.contains(mirror.element(element))) {
          throw new AssertionError("%s does not contain %s".formatted(what, element));
        }
      }
    }
  }
}
