package io.pmstore.proxy.bytecode;

import java.lang.classfile.ClassModel;

/** Names of classes as class files spell them, and as Java does. */
final class Names {
  private Names() {}

  /** Returns the binary name of a class. */
  static String of(ClassModel model) {
    return model.thisClass().asInternalName().replace('/', '.');
  }
}
