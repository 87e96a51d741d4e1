package io.pmstore.enhance.corpus;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Values and objects for the properties, constructors and methods of a unit's classes. The same
 * random numbers give the same in each {@link World}.
 */
final class Samples {
  private static final int DEPTH = 3;
  private static final int MAX_OBJECTS = 40;

  private final World world;
  private final UnitClasses unit;
  private int left; // how many objects may still be made for one value

  Samples(World world, UnitClasses unit) {
    this.world = world;
    this.unit = unit;
  }

  /** Returns the arguments of a call. */
  Object @Nullable [] arguments(Executable of, Random random, int depth) {
    Type[] types = genericTypes(of);
    Object[] values = new Object[types.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(types[i], random, depth);
      if (values[i] == null && of.getParameterTypes()[i].isPrimitive()) {
        return null;
      }
    }
    return values;
  }

  private static Type[] genericTypes(Executable of) {
    try {
      Type[] generic = of.getGenericParameterTypes();
      return generic.length == of.getParameterCount() ? generic : of.getParameterTypes();
    } catch (RuntimeException | LinkageError e) { // a signature that names what is not there
      return of.getParameterTypes();
    }
  }

  /** Makes an object and calls its setters; null if nothing makes one. */
  @Nullable Object filled(Class<?> type, Random random) {
    left = MAX_OBJECTS;
    Object made = make(type, random, 0);
    if (made != null) {
      fill(made, random, 0);
    }
    return made;
  }

  /** Returns a value for one call. */
  @Nullable Object fresh(Type type, Random random) {
    left = MAX_OBJECTS;
    return value(type, random, 1);
  }

  /** Returns the arguments of a call of a method from outside. */
  Object[] callArguments(Method method, Random random) {
    left = MAX_OBJECTS;
    Object[] found = arguments(method, random, 1);
    return found == null ? new Object[0] : found;
  }

  /** Returns an element for a collection of a declared type. */
  @Nullable Object element(Type collection, Random random) {
    return collection instanceof ParameterizedType generic
            && generic.getActualTypeArguments().length == 1
        ? fresh(generic.getActualTypeArguments()[0], random)
        : null;
  }

  private @Nullable Object make(Class<?> type, Random random, int depth) {
    if (left-- <= 0) {
      return null;
    }
    List<Constructor<?>> constructors =
        new ArrayList<>(Arrays.asList(type.getDeclaredConstructors()));
    constructors.removeIf(c -> c.isSynthetic());
    Comparator<Constructor<?>> larger = Comparator.comparing(c -> -c.getParameterCount());
    constructors.sort(larger.thenComparing(Constructor::toString));
    if (random.nextInt(4) > 0) {
      constructors.sort(Comparator.comparing(c -> c.getParameterCount() > 0));
    }
    for (Constructor<?> constructor : constructors) {
      Object made = call(constructor, null, random, depth);
      if (made != null) {
        world.made.add(made);
        return made;
      }
    }
    for (Method factory : methods(type, m -> isFactory(m, type))) {
      Object made = call(factory, null, random, depth);
      if (made != null) {
        world.made.add(made);
        return made;
      }
    }
    return null;
  }

  private static boolean isFactory(Method method, Class<?> of) {
    return Modifier.isStatic(method.getModifiers()) && method.getReturnType() == of;
  }

  /** Calls what makes an object; null if it throws. */
  private @Nullable Object call(Executable maker, @Nullable Object on, Random random, int depth) {
    Object[] arguments = arguments(maker, random, depth + 1);
    if (arguments == null) {
      return null;
    }
    try {
      maker.setAccessible(true);
      return maker instanceof Constructor<?> constructor
          ? constructor.newInstance(arguments)
          : ((Method) maker).invoke(on, arguments);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  /** Calls most setters, and sets most public fields. What one throws is its own affair. */
  private void fill(Object object, Random random, int depth) {
    for (Method setter : methods(object.getClass(), Samples::isSetter)) {
      if (random.nextInt(8) > 0) {
        Object _ = call(setter, object, random, depth);
      }
    }
    for (Field field : publicFields(object.getClass())) {
      if (random.nextInt(8) > 0) {
        Object value = value(field.getGenericType(), random, depth + 1);
        if (value != null || !field.getType().isPrimitive()) {
          Fields.set(object, field, value);
        }
      }
    }
    if (Fields.hasElements(object, world)) {
      addElements(object, random, depth);
    }
  }

  private void addElements(Object object, Random random, int depth) {
    Class<?> top = object.getClass();
    while (world.isOwn(top.getSuperclass())) {
      top = top.getSuperclass();
    }
    Type[] types =
        top.getGenericSuperclass() instanceof ParameterizedType generic
            ? generic.getActualTypeArguments()
            : new Type[] {String.class, String.class};
    for (int i = random.nextInt(3); i > 0; i--) {
      Object first = value(types[0], random, depth + 1);
      if (first != null && object instanceof Map<?, ?> map && types.length > 1) {
        put(map, first, value(types[1], random, depth + 1));
      } else if (first != null && object instanceof Collection<?> collection) {
        add(collection, first);
      }
    }
  }

  private List<Field> publicFields(Class<?> type) {
    return Fields.of(type, world).stream()
        .filter(f -> Modifier.isPublic(f.getModifiers()) && !Modifier.isFinal(f.getModifiers()))
        .toList();
  }

  private static boolean isSetter(Method method) {
    String name = method.getName();
    return !Modifier.isStatic(method.getModifiers())
        && method.getParameterCount() == 1
        && !name.equals("equals")
        && (name.startsWith("set")
            || name.startsWith("with")
            || name.startsWith("add")
            || method.getReturnType().isAssignableFrom(method.getDeclaringClass())
                && method.getReturnType() != Object.class);
  }

  /** Returns public methods of a unit's class, inherited ones too, in a fixed order. */
  List<Method> methods(Class<?> type, Predicate<Method> which) {
    return Arrays.stream(type.getMethods())
        .filter(m -> world.isOwn(m.getDeclaringClass()) && !m.isSynthetic() && which.test(m))
        .sorted(
            Comparator.comparing(Method::getName)
                .thenComparing(m -> Arrays.toString(m.getParameterTypes()))
                .thenComparing(m -> m.getDeclaringClass().getName()))
        .toList();
  }

  private @Nullable Object value(Type type, Random random, int depth) {
    return switch (type) {
      case Class<?> plain -> ofClass(plain, random, depth);
      case ParameterizedType generic ->
          ofGeneric(
              (Class<?>) generic.getRawType(), generic.getActualTypeArguments(), random, depth);
      case WildcardType wildcard -> value(wildcard.getUpperBounds()[0], random, depth);
      case TypeVariable<?> variable ->
          depth > DEPTH ? null : value(variable.getBounds()[0], random, depth + 1);
      case GenericArrayType array -> ofArray(array.getGenericComponentType(), random, depth);
      default -> null;
    };
  }

  private @Nullable Object ofClass(Class<?> type, Random random, int depth) {
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants.length == 0 ? null : constants[random.nextInt(constants.length)];
    }
    if (type.isArray()) {
      return ofArray(type.getComponentType(), random, depth);
    }
    Object simple = Values.of(type, random);
    if (simple != null) {
      return simple;
    }
    if (world.isOwn(type)) {
      return depth > DEPTH ? null : object(type, random, depth);
    }
    return ofGeneric(type, new Type[] {String.class, String.class}, random, depth);
  }

  /** Returns an object of a class of the unit, or of one that extends it: one of before, or new. */
  private @Nullable Object object(Class<?> type, Random random, int depth) {
    if (random.nextInt(4) == 0) {
      List<Object> known = world.made.stream().filter(type::isInstance).toList();
      if (!known.isEmpty()) {
        return known.get(random.nextInt(known.size()));
      }
    }
    List<String> names = unit.implementers(type.getName());
    if (names.isEmpty() || type.isRecord()) { // a record, or a builder
      boolean canBeMade = !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
      Object made = canBeMade ? make(type, random, depth) : null;
      if (made != null && !type.isRecord() && depth < DEPTH) {
        fill(made, random, depth + 1);
      }
      return made;
    }
    String name = names.get(random.nextInt(Math.min(names.size(), 4)));
    try {
      Object made = make(Class.forName(name, true, world), random, depth);
      if (made != null && depth < DEPTH - 1) {
        fill(made, random, depth + 1);
      }
      return made;
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  private @Nullable Object ofArray(Type component, Random random, int depth) {
    Class<?> raw = raw(component);
    Object array = Array.newInstance(raw, 1 + random.nextInt(2));
    for (int i = 0; i < Array.getLength(array); i++) {
      Object value = value(component, random, depth);
      if (value != null) {
        Array.set(array, i, value);
      }
    }
    return array;
  }

  private static Class<?> raw(Type type) {
    return switch (type) {
      case Class<?> plain -> plain;
      case ParameterizedType generic -> (Class<?>) generic.getRawType();
      case GenericArrayType array -> raw(array.getGenericComponentType()).arrayType();
      case TypeVariable<?> variable -> raw(variable.getBounds()[0]);
      default -> Object.class;
    };
  }

  private @Nullable Object ofGeneric(Class<?> raw, Type[] arguments, Random random, int depth) {
    if (world.isOwn(raw)) {
      return depth > DEPTH ? null : object(raw, random, depth);
    }
    if (raw == Optional.class) {
      return Optional.ofNullable(value(arguments[0], random, depth));
    }
    Object made = container(raw, random);
    int elements = random.nextInt(3);
    for (int i = 0; i < elements; i++) {
      Object first = value(arguments[0], random, depth);
      if (first != null && made instanceof Map<?, ?> map && arguments.length > 1) {
        put(map, first, value(arguments[1], random, depth));
      } else if (first != null && made instanceof Collection<?> collection) {
        add(collection, first);
      }
    }
    return made;
  }

  private @Nullable Object container(Class<?> raw, Random random) {
    if (!Iterable.class.isAssignableFrom(raw) && !Map.class.isAssignableFrom(raw)) {
      return null;
    }
    boolean keepsOrder = world.isOrdered || random.nextBoolean();
    for (Object candidate :
        List.of(
            new ArrayList<>(),
            keepsOrder ? new LinkedHashSet<>() : new HashSet<>(),
            keepsOrder ? new LinkedHashMap<>() : new HashMap<>(),
            new TreeSet<>(),
            new TreeMap<>(),
            new ArrayDeque<>())) {
      if (raw.isInstance(candidate)) {
        return candidate;
      }
    }
    if (raw.getName().startsWith("java.util.") && !raw.isInterface()) {
      try {
        return raw.getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
    return null;
  }

  @SuppressWarnings("unchecked") // of values made for its type arguments
  private static void put(Map<?, ?> map, Object key, @Nullable Object value) {
    try {
      if (value != null) {
        ((Map<Object, Object>) map).put(key, value);
      }
    } catch (RuntimeException e) {
      // a key that does not compare, or whose hashCode fails, as it would for the program
    }
  }

  private static void add(Collection<?> collection, Object value) {
    try {
      addTo(collection, value);
    } catch (RuntimeException e) {
      // an element that does not compare, or whose hashCode fails
    }
  }

  /** Adds to a collection made for its type argument. */
  @SuppressWarnings("unchecked")
  static void addTo(Collection<?> collection, Object value) {
    ((Collection<Object>) collection).add(value);
  }
}
