package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import io.pmstore.Transient;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the properties of a class, or refuses the class. A class that cannot work is refused when
 * it is first used, before data can be lost.
 */
public final class BeanDiscovery {
  private BeanDiscovery() {}

  /**
   * Examines a class or interface that is annotated with {@link io.pmstore.Persistent}, and logs
   * warnings of what may surprise its author.
   *
   * @throws ClassRefusedException if its objects cannot be kept in a store
   */
  public static BeanClass discover(Class<?> type) {
    Set<String> warnings = new LinkedHashSet<>();
    BeanClass bean = discover(new Refusal(type, null, warnings));
    for (String warning : warnings) {
      System.getLogger(BeanDiscovery.class.getName()).log(System.Logger.Level.WARNING, warning);
    }
    return bean;
  }

  /**
   * Does the same with a refusal. A refusal that collects faults has all of them when this returns
   * or throws.
   */
  static BeanClass discover(Refusal refusal) {
    ClassRules.check(refusal);
    Class<?> type = refusal.type();
    Accessors accessors = new Accessors(type);
    checkAccessors(refusal, accessors);
    return type.isInterface()
        ? BeanClass.of(
            type,
            ofInterface(refusal, accessors),
            null,
            List.of(),
            List.of(),
            OnLoadMethods.of(refusal),
            false)
        : new FieldProperties(refusal, accessors).discover();
  }

  private static void checkAccessors(Refusal refusal, Accessors accessors) {
    Class<?> type = refusal.type();
    for (String name : accessors.names()) {
      Method[] pair = accessors.pair(name);
      if (pair != null) {
        for (Method accessor : pair) {
          if (type.isInterface() && accessor.isAnnotationPresent(Transient.class)) {
            refusal.report(
                "accessor %s is @Transient, but objects of an interface have no fields beside those in the store"
                    .formatted(accessor.getName()),
                "use a class, or remove the annotation");
          }
        }
      }
    }
  }

  private static List<BeanProperty> ofInterface(Refusal refusal, Accessors accessors) {
    List<BeanProperty> properties = new ArrayList<>();
    Set<Method> paired = new HashSet<>();
    for (String name : accessors.names()) {
      Method[] pair = accessors.pair(name);
      if (pair != null) {
        boolean isAbstract = Modifier.isAbstract(pair[0].getModifiers());
        if (isAbstract != Modifier.isAbstract(pair[1].getModifiers())) {
          refusal.report(
              "of %s and %s, one is abstract and one is not"
                  .formatted(pair[0].getName(), pair[1].getName()),
              "make both abstract, which makes a property, or neither");
        }
        paired.addAll(List.of(pair));
        if (isAbstract) {
          TypeArguments.check(refusal, name, pair[0].getGenericReturnType());
          properties.add(
              new BeanProperty(
                  name,
                  pair[0].getReturnType(),
                  PropertyTypes.kind(refusal, name, pair[0].getReturnType()),
                  pair[0],
                  pair[1],
                  null,
                  ElementClasses.of(pair[0].getGenericReturnType())));
        }
      }
    }
    for (String name : accessors.names()) {
      for (Method getter : accessors.getters(name)) {
        if (Modifier.isAbstract(getter.getModifiers()) && !paired.contains(getter)) {
          refusal.report(
              "getter %s has no setter with one parameter of type %s that returns nothing"
                  .formatted(getter.getName(), getter.getReturnType().getTypeName()),
              "declare the setter, or give the getter a default implementation");
        }
      }
      for (Method setter : accessors.setters(name)) {
        if (Modifier.isAbstract(setter.getModifiers()) && !paired.contains(setter)) {
          refusal.report(
              "setter %s has no getter that returns the type %s"
                  .formatted(setter.getName(), setter.getParameterTypes()[0].getTypeName()),
              "declare the getter, or give the setter a default implementation");
        }
      }
    }
    for (Method method : accessors.otherAbstract()) {
      refusal.report(
          "method " + method.getName() + " is abstract and no accessor, so nobody can implement it",
          "give it a default implementation");
    }
    return properties;
  }
}
