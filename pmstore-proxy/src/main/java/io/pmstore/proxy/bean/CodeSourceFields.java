package io.pmstore.proxy.bean;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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

  private static final int MAGIC = 0xCAFEBABE;

  private final Map<String, List<Naming>> byField = new HashMap<>();
  private final Map<String, List<String>> callers = new HashMap<>();
  private final Map<String, String> superclasses = new HashMap<>();

  /** Adds a class file. */
  void add(InputStream classFile) throws IOException {
    DataInputStream in = new DataInputStream(classFile);
    if (in.readInt() != MAGIC) {
      return; // no class of this or any Java program
    }
    in.readInt();
    Object[] pool = new Object[in.readUnsignedShort()];
    List<int[]> fields = new ArrayList<>();
    Set<Integer> owners = new HashSet<>(); // of methods
    for (int i = 1; i < pool.length; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> pool[i] = in.readUTF();
        case 3, 4, 17, 18 -> in.readInt();
        case 5, 6 -> {
          in.readLong();
          i++;
        }
        case 7, 8, 16, 19, 20 -> pool[i] = in.readUnsignedShort();
        case 9 -> fields.add(new int[] {in.readUnsignedShort(), in.readUnsignedShort()});
        case 10 -> {
          owners.add(in.readUnsignedShort());
          in.readUnsignedShort();
        }
        case 11 -> in.readInt();
        case 12 -> {
          pool[i] = in.readUnsignedShort();
          in.readUnsignedShort();
        }
        case 15 -> {
          in.readUnsignedByte();
          in.readUnsignedShort();
        }
        default -> throw new IOException("a class file has a constant of kind " + tag);
      }
    }
    in.readUnsignedShort();
    String user = className(pool, in.readUnsignedShort());
    int above = in.readUnsignedShort();
    if (above != 0) {
      superclasses.put(user, className(pool, above));
    }
    addUses(pool, fields, user, ownFields(pool, in));
    for (int owner : owners) {
      String name = className(pool, owner);
      if (!name.startsWith("java.") && !name.startsWith("[") && !name.equals(user)) {
        callers.computeIfAbsent(name, n -> new ArrayList<>(2)).add(user);
      }
    }
  }

  private static Set<String> ownFields(Object[] pool, DataInputStream in) throws IOException {
    in.skipNBytes(2L * in.readUnsignedShort());
    Set<String> own = new HashSet<>();
    for (int i = in.readUnsignedShort(); i > 0; i--) {
      in.readUnsignedShort();
      own.add((String) pool[in.readUnsignedShort()]);
      in.readUnsignedShort();
      for (int j = in.readUnsignedShort(); j > 0; j--) {
        in.readUnsignedShort();
        in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
      }
    }
    return own;
  }

  private void addUses(Object[] pool, List<int[]> fields, String user, Set<String> own) {
    for (int[] field : fields) {
      String owner = className(pool, field[0]);
      String name = (String) pool[(Integer) pool[field[1]]];
      if (!owner.startsWith("java.") && !(owner.equals(user) && own.contains(name))) {
        byField.computeIfAbsent(name, n -> new ArrayList<>(1)).add(new Naming(user, owner));
      }
    }
  }

  private static String className(Object[] pool, int index) {
    return ((String) pool[(Integer) pool[index]]).replace('/', '.');
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
