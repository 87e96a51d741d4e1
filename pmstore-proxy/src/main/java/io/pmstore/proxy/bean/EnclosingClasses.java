package io.pmstore.proxy.bean;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells from class files which classes are declared inside which. */
final class EnclosingClasses {
  private EnclosingClasses() {}

  /**
   * Returns true if {@code candidate} is declared inside code of the class {@code outer}, or inside
   * a class that is, so that only that code can name it. {@code nest} has the class files around
   * it, by name.
   */
  static boolean isInCodeOf(String outer, ClassModel candidate, Map<String, ClassModel> nest) {
    boolean inCode = false;
    for (ClassModel model = candidate; model != null; ) {
      String enclosing =
          model
              .findAttribute(Attributes.enclosingMethod())
              .map(attribute -> ClassFiles.name(attribute.enclosingClass()))
              .orElse(null);
      inCode |= enclosing != null;
      if (enclosing == null) {
        enclosing = outerOfMember(model);
      }
      if (enclosing == null || enclosing.equals(outer)) {
        return enclosing != null && inCode;
      }
      model = nest.get(enclosing);
    }
    return false;
  }

  private static @Nullable String outerOfMember(ClassModel model) {
    for (InnerClassInfo info :
        model.findAttribute(Attributes.innerClasses()).stream()
            .flatMap(attribute -> attribute.classes().stream())
            .toList()) {
      if (ClassFiles.name(info.innerClass()).equals(ClassFiles.name(model))) {
        return info.outerClass().map(ClassFiles::name).orElse(null);
      }
    }
    return null;
  }
}
