package io.pmstore.spring.jackson;

import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Type;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeBindings;
import tools.jackson.databind.type.TypeFactory;
import tools.jackson.databind.type.TypeModifier;

/** Shows Jackson the program's class in place of a generated class. */
final class DeclaredTypes extends TypeModifier {
  @Override
  public JavaType modifyType(
      JavaType type, Type reflected, TypeBindings bindings, TypeFactory factory) {
    Class<?> raw = type.getRawClass();
    Class<?> declared = of(raw);
    return declared == raw ? type : factory.constructType(declared);
  }

  /**
   * Returns the class or interface that a class was generated for; another class as it is.
   *
   * @param type any class
   */
  static Class<?> of(Class<?> type) {
    if (!isGenerated(type)) {
      return type;
    }
    Class<?> superclass = type.getSuperclass();
    return superclass == Object.class ? type.getInterfaces()[0] : superclass;
  }

  private static boolean isGenerated(Class<?> type) {
    return type.isSynthetic()
        && !type.isInterface()
        && PersistentObject.class.isAssignableFrom(type);
  }
}
