package io.pmstore.proxy.evolution;

import io.pmstore.Persistent;
import io.pmstore.Transient;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.MalformedParameterizedTypeException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds the persistent classes, records and enums that a class refers to, directly or through
 * others: as types of properties, as type arguments of these, or as classes that a sealed one of
 * these types permits.
 */
public final class ReachableClasses {
  private final Predicate<Class<?>> visitor;
  private final Consumer<Class<?>> others;
  private final Deque<Class<?>> open = new ArrayDeque<>();
  private final Set<Type> passed = new HashSet<>(); // type variables and sealed types

  private ReachableClasses(Predicate<Class<?>> visitor, Consumer<Class<?>> others) {
    this.visitor = visitor;
    this.others = others;
  }

  /**
   * Visits a class and the classes that it refers to.
   *
   * @param visitor gets each class that a store can keep, {@code start} first; returns true if the
   *     class is to be followed
   */
  public static void visit(Class<?> start, Predicate<Class<?>> visitor) {
    visit(start, visitor, other -> {});
  }

  /**
   * Does the same.
   *
   * @param others gets each other class or interface that one of those names, perhaps repeatedly
   */
  public static void visit(Class<?> start, Predicate<Class<?>> visitor, Consumer<Class<?>> others) {
    ReachableClasses walk = new ReachableClasses(visitor, others);
    walk.take(start);
    while (!walk.open.isEmpty()) {
      Class<?> next = walk.open.remove();
      try {
        walk.follow(next);
      } catch (LinkageError | TypeNotPresentException | MalformedParameterizedTypeException e) {
        // A missing class cannot be followed. It is refused if it is used.
      }
    }
  }

  private void take(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    boolean canBeKept =
        element.isAnnotationPresent(Persistent.class) || element.isRecord() || element.isEnum();
    if (!canBeKept) {
      others.accept(element);
    } else if (visitor.test(element)) {
      open.add(element);
    }
    if (element.isSealed() && passed.add(element)) { // the JVM leaves out what it cannot load
      for (Class<?> permitted : element.getPermittedSubclasses()) {
        take(permitted);
      }
    }
  }

  private void follow(Class<?> type) {
    if (type.isEnum()) {
      return;
    }
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      for (Field field : k.getDeclaredFields()) {
        boolean isKept =
            !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers())
                && !field.isAnnotationPresent(Transient.class);
        if (isKept) {
          take(field.getGenericType());
        }
      }
      if (k.getGenericSuperclass() instanceof ParameterizedType superclass) {
        take(superclass);
      }
    }
    if (type.isInterface()) {
      for (Type superinterface : type.getGenericInterfaces()) {
        take(superinterface);
      }
      for (Method method : type.getMethods()) {
        if (Modifier.isAbstract(method.getModifiers()) && method.getParameterCount() == 0) {
          take(method.getGenericReturnType());
        }
      }
    }
  }

  private void take(Type type) {
    switch (type) {
      case Class<?> plain -> take(plain);
      case ParameterizedType generic -> {
        take(generic.getRawType());
        for (Type argument : generic.getActualTypeArguments()) {
          take(argument);
        }
      }
      case GenericArrayType array -> take(array.getGenericComponentType());
      case WildcardType wildcard -> {
        for (Type bound : wildcard.getUpperBounds()) {
          take(bound);
        }
      }
      case TypeVariable<?> variable -> {
        if (passed.add(variable)) { // its bound may refer to itself
          for (Type bound : variable.getBounds()) {
            take(bound);
          }
        }
      }
      default -> throw new IllegalArgumentException("a type of another kind: " + type);
    }
  }
}
