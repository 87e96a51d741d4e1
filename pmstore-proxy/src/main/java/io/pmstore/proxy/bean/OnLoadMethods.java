package io.pmstore.proxy.bean;

import io.pmstore.OnLoad;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Finds the methods that run when an object is read back. */
final class OnLoadMethods {
  private OnLoadMethods() {}

  /**
   * Returns the methods, those of superclasses first. An overridden method appears once, in the
   * place of the first.
   *
   * @throws io.pmstore.ClassRefusedException if one is static, or has a parameter or a result
   */
  static List<Method> of(Refusal refusal) {
    Class<?> type = refusal.type();
    List<Class<?>> hierarchy = new ArrayList<>();
    for (Class<?> k = type; k != null && k != Object.class; k = k.getSuperclass()) {
      hierarchy.addFirst(k);
    }
    for (Method method : type.getMethods()) {
      if (method.getDeclaringClass().isInterface() && method.isAnnotationPresent(OnLoad.class)) {
        refusal.report(
            "@OnLoad method %s is declared in interface %s, and only those of classes run"
                .formatted(method.getName(), method.getDeclaringClass().getName()),
            "declare it in the class");
      }
    }
    List<Method> found = new ArrayList<>();
    for (Class<?> k : hierarchy) {
      Arrays.stream(k.getDeclaredMethods())
          .filter(method -> method.isAnnotationPresent(OnLoad.class) && !method.isBridge())
          .sorted(Comparator.comparing(Method::getName))
          .peek(method -> check(refusal, method))
          .filter(method -> found.stream().noneMatch(above -> overrides(method, above)))
          .forEach(found::add);
    }
    return List.copyOf(found);
  }

  private static boolean overrides(Method method, Method above) {
    return method.getName().equals(above.getName())
        && !Modifier.isPrivate(method.getModifiers())
        && !Modifier.isPrivate(above.getModifiers());
  }

  private static void check(Refusal refusal, Method method) {
    String what = "@OnLoad method " + method.getName() + refusal.of(method.getDeclaringClass());
    if (Modifier.isStatic(method.getModifiers())) {
      refusal.report(what + " is static", "make it an instance method");
    }
    if (method.getParameterCount() > 0 || method.getReturnType() != void.class) {
      refusal.report(
          what + " takes or returns something, and nobody is there to give or take it",
          "declare it as void " + method.getName() + "()");
    }
  }
}
