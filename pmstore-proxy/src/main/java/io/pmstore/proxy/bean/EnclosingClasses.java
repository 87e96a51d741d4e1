package io.pmstore.proxy.bean;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds out from class files in which class another one is declared. */
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
      EnclosingMethodAttribute method =
          model.findAttribute(Attributes.enclosingMethod()).orElse(null);
      inCode |= method != null;
      String enclosing =
          method == null ? outerOfMember(model) : ClassFiles.name(method.enclosingClass());
      if (enclosing == null || enclosing.equals(outer)) {
        return enclosing != null && inCode;
      }
      model = nest.get(enclosing);
    }
    return false;
  }

  private static @Nullable String outerOfMember(ClassModel model) {
    InnerClassesAttribute inner = model.findAttribute(Attributes.innerClasses()).orElse(null);
    if (inner != null) {
      for (InnerClassInfo info : inner.classes()) {
        if (info.innerClass().equals(model.thisClass())) {
          ClassEntry outer = info.outerClass().orElse(null);
          return outer == null ? null : ClassFiles.name(outer);
        }
      }
    }
    return null;
  }
}
