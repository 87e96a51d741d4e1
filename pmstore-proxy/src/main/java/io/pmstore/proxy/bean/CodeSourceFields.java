package io.pmstore.proxy.bean;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.FieldRefEntry;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The classes of one code source (a jar, a directory, a module) that name fields of other classes,
 * and the classes that they call. Constant pools tell it: they name at least what is used, perhaps
 * more. Holds names only.
 */
final class CodeSourceFields {
  /** A class that names a field, and the class with which it names it, perhaps a subclass. */
  record Naming(String user, String owner) {}

  private static final byte[] MAGIC = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe};

  private final Map<String, List<Naming>> byField = new HashMap<>();
  private final Map<String, List<String>> callers = new HashMap<>();
  private final Map<String, String> superclasses = new HashMap<>();

  /** Adds a class file. */
  void add(InputStream classFile) throws IOException {
    byte[] bytes = classFile.readAllBytes();
    if (!Arrays.equals(bytes, 0, Math.min(bytes.length, MAGIC.length), MAGIC, 0, MAGIC.length)) {
      return; // no class of this or any Java program
    }
    ClassModel model = ClassFile.of().parse(bytes);
    String user = ClassFiles.name(model);
    model.superclass().ifPresent(above -> superclasses.put(user, ClassFiles.name(above)));
    Set<String> own = new HashSet<>();
    model.fields().forEach(field -> own.add(field.fieldName().stringValue()));
    Set<String> called = new HashSet<>();
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof FieldRefEntry field) {
        String owner = ClassFiles.name(field.owner());
        String name = field.name().stringValue();
        if (!owner.startsWith("java.") && !(owner.equals(user) && own.contains(name))) {
          byField.computeIfAbsent(name, n -> new ArrayList<>(1)).add(new Naming(user, owner));
        }
      } else if (entry instanceof MethodRefEntry method) {
        called.add(ClassFiles.name(method.owner()));
      }
    }
    for (String name : called) {
      if (!name.startsWith("java.") && !name.startsWith("[") && !name.equals(user)) {
        callers.computeIfAbsent(name, n -> new ArrayList<>(2)).add(user);
      }
    }
  }

  /**
   * Returns the names of the classes, other than {@code owner}, that name a field of {@code owner}
   * or a field of that name of a subclass.
   */
  Set<String> naming(String owner, String field) {
    Set<String> users = new HashSet<>();
    for (Naming naming : byField.getOrDefault(field, List.of())) {
      if (!naming.user().equals(owner) && isOrExtends(naming.owner(), owner)) {
        users.add(naming.user());
      }
    }
    return users;
  }

  /**
   * Returns the names of the classes, other than {@code owner}, that name a method or constructor
   * of {@code owner}, or a method of a subclass.
   */
  Set<String> calling(String owner) {
    Set<String> users = new TreeSet<>();
    callers.forEach(
        (named, by) -> {
          if (isOrExtends(named, owner)) {
            users.addAll(by);
          }
        });
    users.remove(owner);
    return users;
  }

  private boolean isOrExtends(String name, String owner) {
    for (String k = name; k != null; k = superclasses.get(k)) {
      if (k.equals(owner)) {
        return true;
      }
    }
    return false;
  }
}
