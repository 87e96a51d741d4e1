package io.pmstore.evolution.random;

import io.pmstore.Migration;
import io.pmstore.OldObject;
import io.pmstore.PmStore;
import io.pmstore.compiled.Compiled;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The objects of one version of a program in one opened store, and those of the oracle. */
final class Mirror {
  private final Program program;
  private final Oracle oracle;
  private final Compiled loader;
  private final Map<Entity, Object> reals = new HashMap<>();
  private final Map<Object, Entity> entities = new IdentityHashMap<>();
  private PmStore store;

  Mirror(Program program, Oracle oracle, Compiled loader) {
    this.program = program;
    this.oracle = oracle;
    this.loader = loader;
  }

  /** Begins to look at an opened store, whose objects are others than before. */
  void look(PmStore opened) {
    reals.clear();
    entities.clear();
    store = opened;
    know(oracle.root, opened.root(type(program.root)));
  }

  Class<?> type(Definition definition) {
    try {
      return loader.loadClass(Program.PACKAGE + "." + definition.name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** Remembers an object; it is always the same one. */
  void know(Entity entity, Object real) {
    Object known = reals.putIfAbsent(entity, real);
    if (known != null && known != real) {
      throw new AssertionError("two Java objects are " + entity);
    }
    entities.put(real, entity);
  }

  /** Forgets an object that a rolled back transaction made. */
  void forget(Entity entity) {
    entities.remove(reals.remove(entity));
  }

  // ---- properties

  private static Object invoke(Method method, Object object, Object... arguments) {
    try {
      method.setAccessible(true);
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new AssertionError(e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private Method method(Definition type, Member property, boolean isSetter) {
    for (Definition owner = type; owner != null; owner = owner.parent) {
      if (owner.members.contains(property)) {
        String name = isSetter ? property.setter() : property.getter();
        for (Method method : type(owner).getDeclaredMethods()) {
          if (method.getName().equals(name)) {
            return method;
          }
        }
      }
    }
    throw new AssertionError(type + " has no " + property);
  }

  Object read(Entity entity, Member property) {
    return invoke(method(entity.type, property, false), real(entity));
  }

  void write(Entity entity, Member property, Object real) {
    invoke(method(entity.type, property, true), real(entity), real);
  }

  // ---- from the oracle to the store

  /** The persistent object. */
  Object real(Entity entity) {
    Object known = reals.get(entity);
    if (known == null) {
      if (!entity.isListed) {
        throw new AssertionError(entity + " was not met");
      }
      known = ((List<?>) read(oracle.root, program.all)).get(oracle.listed().indexOf(entity));
      know(entity, known);
    }
    return known;
  }

  /** A new plain object. */
  Object plain(Definition type, long id) {
    try {
      Constructor<?> constructor = type(type).getDeclaredConstructor();
      constructor.setAccessible(true);
      Object made = constructor.newInstance();
      invoke(method(type, program.id, true), made, Values.widened(id, program.id.type));
      return made;
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** A value of the oracle as one that a property of a type can be set to. */
  Object real(Object value, Type type) {
    return switch (value) {
      case null -> null;
      case Entity entity -> real(entity);
      case Member constant -> constant(constant);
      case Values.OfRecord record -> realRecord(record);
      case Values.OfArray(String its, List<Object> elements) -> {
        Object array =
            Array.newInstance(its.equals("int[]") ? int.class : String.class, elements.size());
        for (int i = 0; i < elements.size(); i++) {
          Array.set(array, i, elements.get(i));
        }
        yield array;
      }
      case List<?> list -> {
        List<Object> elements = new ArrayList<>();
        list.forEach(element -> elements.add(element(element)));
        yield type.kind() == Kind.DEQUE ? new ArrayDeque<>(elements) : elements;
      }
      case Set<?> set -> {
        Set<Object> elements = type.kind() == Kind.SORTED_SET ? new TreeSet<>() : new HashSet<>();
        set.forEach(element -> elements.add(element(element)));
        yield elements;
      }
      case Map<?, ?> map -> {
        Map<Object, Object> entries =
            type.kind() == Kind.SORTED_MAP ? new TreeMap<>() : new HashMap<>();
        map.forEach((k, v) -> entries.put(element(k), element(v)));
        yield entries;
      }
      default -> value;
    };
  }

  Object element(Object value) {
    return real(value, Type.of(Kind.OBJECT));
  }

  private Object constant(Member constant) {
    for (Object each : type(constant.owner).getEnumConstants()) {
      if (((Enum<?>) each).name().equals(constant.name)) {
        return each;
      }
    }
    throw new AssertionError("no constant " + constant);
  }

  private Object realRecord(Values.OfRecord record) {
    Class<?> type = type(record.type());
    List<Class<?>> types = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      types.add(component.getType());
    }
    Object[] parts =
        record.type().members.stream()
            .map(component -> real(record.parts().get(component.number), component.type))
            .toArray();
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types.toArray(new Class<?>[0]));
      constructor.setAccessible(true);
      return constructor.newInstance(parts);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  // ---- from the store to the oracle

  /** What a value read is in the oracle's terms. */
  Object canonical(Object real) {
    if (real == null) {
      return null;
    }
    Entity known = entities.get(real);
    if (known != null) {
      return known;
    }
    return switch (real) {
      case List<?> list -> canonicalList(list);
      case java.util.Deque<?> deque -> canonicalList(deque);
      case Set<?> set -> {
        Set<Object> elements = new HashSet<>();
        set.forEach(element -> elements.add(canonical(element)));
        yield elements;
      }
      case Map<?, ?> map -> {
        Map<Object, Object> entries = new HashMap<>();
        map.forEach((k, v) -> entries.put(canonical(k), canonical(v)));
        yield entries;
      }
      case Enum<?> constant -> constant(constant);
      case Record record -> canonicalRecord(record);
      default -> other(real);
    };
  }

  private Object other(Object real) {
    if (real.getClass().isArray()) {
      List<Object> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(real); i++) {
        elements.add(Array.get(real, i));
      }
      return new Values.OfArray(real.getClass().getSimpleName(), elements);
    }
    if (!type(program.base).isInstance(real)) {
      return real;
    }
    Number id = (Number) invoke(method(program.base, program.id, false), real);
    Entity entity = oracle.find(id.longValue());
    if (!type(entity.type).isInstance(real)) {
      throw new AssertionError("%s is of %s".formatted(entity, real.getClass()));
    }
    know(entity, real);
    return entity;
  }

  private Object canonicalList(Iterable<?> list) {
    List<Object> elements = new ArrayList<>();
    list.forEach(element -> elements.add(canonical(element)));
    return elements;
  }

  private Object constant(Enum<?> real) {
    Definition type = definition(program.enums, real.getDeclaringClass());
    return type.members.stream()
        .filter(member -> member.name.equals(real.name()))
        .findFirst()
        .orElseThrow();
  }

  private Object canonicalRecord(Record real) {
    Definition type = definition(program.records, real.getClass());
    Map<Integer, Object> parts = new HashMap<>();
    RecordComponent[] components = real.getClass().getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      parts.put(type.members.get(i).number, canonical(invoke(components[i].getAccessor(), real)));
    }
    return new Values.OfRecord(type, parts);
  }

  private static Definition definition(List<Definition> among, Class<?> type) {
    return among.stream()
        .filter(each -> each.name.equals(type.getSimpleName()))
        .findFirst()
        .orElseThrow();
  }

  // ---- migration functions

  /** The functions that the version needs. */
  List<Migration> migrations() {
    List<Migration> migrations = new ArrayList<>();
    program
        .definitions()
        .forEach(
            type ->
                type.members.stream()
                    .filter(member -> member.made != null)
                    .forEach(member -> migrations.add(migration(type, member))));
    return migrations;
  }

  private Migration migration(Definition type, Member member) {
    return type.sort == Definition.Sort.CLASS && member.number % 2 == 0
        ? Migration.of(
            type(type).getName(), member.name, (old, target) -> made(type, member, old, target))
        : Migration.of(type(type), member.name, (old, target) -> made(type, member, old, target));
  }

  private Object made(Definition type, Member member, OldObject old, Object target) {
    Made made = member.made;
    if (type.sort == Definition.Sort.RECORD) {
      checkEqual("the target of a record's migration", null, target);
    } else {
      long id = idOf(old);
      Number ofTarget = (Number) invoke(method(program.base, program.id, false), target);
      checkEqual("the id of a migration's target", id, ofTarget.longValue());
      switch (made.operation) {
        case TEXT_OF_ID -> {
          return made.applyAll(id);
        }
        case OBJECT -> {
          return plain(program.note, made.objects.get(id).id);
        }
        default -> {}
      }
    }
    String was = null;
    for (String name : made.from) {
      was = old.properties().contains(name) ? name : was;
    }
    return real(was == null ? member.initial : made.applyAll(canonical(old.get(was))), member.type);
  }

  private long idOf(OldObject old) {
    for (String name : program.id.names) {
      if (old.properties().contains(name)) {
        return ((Number) old.get(name)).longValue();
      }
    }
    throw new AssertionError("no id among " + old.properties());
  }

  private static void checkEqual(String what, Object expected, Object found) {
    if (!java.util.Objects.equals(expected, found)) {
      throw new AssertionError(what + ": " + found + " instead of " + expected);
    }
  }
}
