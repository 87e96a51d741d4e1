package io.pmstore.proxy.bytecode;

import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import net.bytebuddy.utility.OpenedClassReader;

/** Gives classes other names, wherever a class file speaks of them. */
final class Renaming {
  private Renaming() {}

  /**
   * Renames.
   *
   * @param classFile the bytes of a class file
   * @param names the new names of classes by the old ones
   * @return the bytes with the new names
   */
  static byte[] of(byte[] classFile, Map<String, String> names) {
    if (names.isEmpty()) {
      return classFile;
    }
    Map<String, String> internal = new HashMap<>();
    names.forEach((from, to) -> internal.put(from.replace('.', '/'), to.replace('.', '/')));
    ClassWriter renamed = new ClassWriter(0);
    ClassReader reader = OpenedClassReader.of(classFile);
    reader.accept(
        new ClassRemapper(renamed, new SimpleRemapper(OpenedClassReader.ASM_API, internal)), 0);
    return renamed.toByteArray();
  }
}
