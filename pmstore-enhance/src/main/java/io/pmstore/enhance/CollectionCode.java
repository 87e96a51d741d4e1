package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import io.pmstore.enhance.Universe.KeptField;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.EnhancedElements.Action;
import io.pmstore.spi.EnhancedElements.Stub;
import io.pmstore.spi.EnhancedObject;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Vector;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.signature.SignatureReader;
import net.bytebuddy.jar.asm.signature.SignatureVisitor;
import net.bytebuddy.jar.asm.signature.SignatureWriter;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Emits the members that make a class which extends a collection class of the JDK an {@link
 * EnhancedCollection}: the property of its elements, and for each method that uses them
 *
 * <pre>{@code
 * Object put(Object key, Object value) {
 *   return pmstore$super:put(key, value);        // as all code of the class does for super.put
 * }
 *
 * private Object pmstore$super:put(Object key, Object value) {
 *   HashMap elements = pmstore$elements();       // null while the object is plain
 *   return elements == null ? super.put(key, value) : elements.put(key, value);
 * }
 * }</pre>
 */
final class CollectionCode {
  private static final String READER = "pmstore$elements";
  private static final String ITERATOR = "()Ljava/util/Iterator;";
  private static final Set<String> FIELDS_OF_VECTOR = Set.of("elementData", "elementCount");

  private final ClassVisitor to;
  private final ClassFacts in;
  private final Class<?> above;
  private final String superName;
  private final FieldFacts field;

  CollectionCode(ClassVisitor to, ClassFacts in) {
    this.to = to;
    this.in = in;
    this.superName = superName(in);
    this.above = superclass(superName);
    this.field = field(superName);
  }

  /** Returns true for a collection class of the JDK whose elements become a property. */
  static boolean isFor(@Nullable String superName) {
    return superName != null && EnhancedElements.superclass(superName.replace('/', '.')) != null;
  }

  /** Returns the field that a class gets for its elements. */
  static FieldFacts field(String superName) {
    int flags = Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC;
    return new FieldFacts(EnhancedCollection.ELEMENTS, "L" + superName + ";", flags, true);
  }

  /** Returns true for such a field. */
  static boolean isElements(KeptField kept) {
    String superName = kept.owner().superName();
    return superName != null && isFor(superName) && kept.field().equals(field(superName));
  }

  /** Returns true for a field of the JDK's class in which an enhanced class has no elements. */
  static boolean isFieldOfElements(Universe universe, String owner, String name) {
    if (!FIELDS_OF_VECTOR.contains(name) || owner.startsWith("java/")) {
      return false;
    }
    for (ClassFacts k = universe.facts(owner); k != null; k = universe.superclass(k)) {
      if (k.fields().containsKey(name)) {
        return false;
      }
      String superName = k.superName();
      if (superName != null && isFor(superName)) {
        return universe.isEnhanced(k) && Vector.class.isAssignableFrom(superclass(superName));
      }
    }
    return false;
  }

  /** Returns the name of the method that stands for one of {@code super}; null for the same one. */
  static @Nullable String inPlaceOf(ClassFacts in, String owner, String name, String descriptor) {
    if (!isFor(in.superName()) || !owner.equals(in.superName())) {
      return null;
    }
    return EnhancedElements.stubs(superclass(owner)).stream()
            .anyMatch(stub -> key(stub.method()).equals(name + descriptor))
        ? EnhancedCollection.SUPER + name
        : null;
  }

  private static String superName(ClassFacts in) {
    String name = in.superName();
    if (name == null) {
      throw new IllegalStateException(in.name() + " extends nothing");
    }
    return name;
  }

  private static Class<?> superclass(String name) {
    Class<?> found = EnhancedElements.superclass(name.replace('/', '.'));
    if (found == null) {
      throw new IllegalStateException(name + " is no collection class");
    }
    return found;
  }

  /** Finds what cannot be kept. */
  void check(Faults faults) {
    if (!field.equals(in.fields().get(EnhancedCollection.ELEMENTS))) {
      faults.add(
          "field " + EnhancedCollection.ELEMENTS,
          0,
          "a class that extends " + above.getName() + " keeps its elements by that name",
          "rename the field");
    }
    if (in.methods().containsKey("removeEldestEntry(Ljava/util/Map$Entry;)Z")) {
      faults.add(
          "method removeEldestEntry",
          0,
          "no persistent map removes its eldest entry by itself",
          "remove the method, and call pollFirstEntry when the map has grown too large");
    }
  }

  /** Emits all members. {@code signature} is the generic one of the class. */
  void emit(@Nullable String signature) {
    to.visitField(
            field.access(), field.name(), field.descriptor(), signatureOfField(signature), null)
        .visitEnd();
    reader();
    Set<String> overridden = new HashSet<>(in.methods().keySet());
    for (Stub stub : EnhancedElements.stubs(above)) {
      inPlaceOfSuper(stub);
      if (overridden.add(key(stub.method()))) {
        override(
            stub.method(),
            EnhancedCollection.SUPER + stub.method().getName(),
            stub.action() != Action.CALL);
      }
    }
    for (Method method : EnhancedElements.inherited(above)) {
      if (JdkCalls.mayChange(method.getName()) && overridden.add(key(method))) {
        override(method, null, true);
      }
    }
    iterator();
    add();
    clear();
    comparator();
  }

  private static String key(Method method) {
    return method.getName() + Type.getMethodDescriptor(method);
  }

  private @Nullable String signatureOfField(@Nullable String signature) {
    if (signature == null) {
      return null;
    }
    SignatureWriter[] written = new SignatureWriter[1];
    new SignatureReader(signature)
        .accept(
            new SignatureVisitor(OpenedClassReader.ASM_API) {
              @Override
              public SignatureVisitor visitSuperclass() {
                written[0] = new SignatureWriter();
                return written[0];
              }
            });
    return written[0].toString();
  }

  /** Emits the method that returns the elements in the store; null while the object is plain. */
  private void reader() {
    MethodCode code = MethodCode.begin(to, Opcodes.ACC_PRIVATE, READER, "()" + field.descriptor());
    Label plain = new Label();
    code.loadThis();
    code.visitFieldInsn(Opcodes.GETFIELD, in.name(), Spi.HANDLE, Spi.OBJECT_HANDLE_TYPE);
    code.visitJumpInsn(Opcodes.IFNULL, plain);
    code.loadThis();
    code.loadThis();
    code.invokeVirtual(in.name(), getter(in), "()" + field.descriptor());
    helper(code, "present", "(L" + Spi.COLLECTION + ";Ljava/lang/Object;)Ljava/lang/Object;");
    code.visitTypeInsn(Opcodes.CHECKCAST, superName);
    code.visitInsn(Opcodes.ARETURN);
    code.target(plain);
    code.visitInsn(Opcodes.ACONST_NULL);
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private static String getter(ClassFacts in) {
    return EnhancedObject.GET + EnhancedObject.member(in.name(), EnhancedCollection.ELEMENTS);
  }

  private void inPlaceOfSuper(Stub stub) {
    Method method = stub.method();
    String descriptor = Type.getMethodDescriptor(method);
    Type[] arguments = Type.getArgumentTypes(descriptor);
    MethodCode code =
        MethodCode.begin(
            to, Opcodes.ACC_PRIVATE, EnhancedCollection.SUPER + method.getName(), descriptor);
    int slot = Type.getArgumentsAndReturnSizes(descriptor) >> 2; // behind the parameters
    Label persistent = new Label();
    code.loadThis();
    code.invokeSpecial(in.name(), READER, "()" + field.descriptor());
    code.visitVarInsn(Opcodes.ASTORE, slot);
    code.visitVarInsn(Opcodes.ALOAD, slot);
    code.visitJumpInsn(Opcodes.IFNONNULL, persistent);
    code.loadThis();
    code.load(1, arguments);
    code.invokeSuper(in, method.getName(), descriptor);
    Type result = Type.getReturnType(descriptor);
    code.visitInsn(result.getOpcode(Opcodes.IRETURN));
    code.targetWith(persistent, superName);
    switch (stub.action()) {
      case CALL -> {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.load(1, arguments);
        code.invokeVirtual(superName, method.getName(), descriptor);
      }
      case EACH -> {
        code.loadThis();
        code.load(1, arguments);
        String type = arguments[0].getDescriptor();
        helper(code, method.getName(), "(" + type + type + ")" + result.getDescriptor());
      }
      case PUT_AT_END -> {
        code.loadThis();
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.load(1, arguments);
        String maps = "Ljava/util/Map;Ljava/util/Map;";
        helper(code, method.getName(), descriptor.replace("(", "(" + maps));
      }
      case REMOVE_RANGE -> {
        code.visitVarInsn(Opcodes.ALOAD, slot);
        code.load(1, arguments);
        helper(code, "removeRange", "(Ljava/util/List;II)V");
      }
      case NOTHING -> {}
    }
    code.visitInsn(result.getOpcode(Opcodes.IRETURN));
    code.end();
  }

  /**
   * Emits a method that calls another one of the class, or the one that it overrides.
   *
   * @param called the other one; null for the one that it overrides
   * @param isTransaction whether it makes several calls, which one transaction is to have
   */
  private void override(Method method, @Nullable String called, boolean isTransaction) {
    String descriptor = Type.getMethodDescriptor(method);
    boolean isPublic = Modifier.isPublic(method.getModifiers());
    int flags = isPublic ? Opcodes.ACC_PUBLIC : Opcodes.ACC_PROTECTED;
    // Code that holds the monitor of a Vector expects other threads to wait.
    boolean isSynchronized = Modifier.isSynchronized(method.getModifiers());
    MethodCode code =
        MethodCode.begin(
            to,
            isSynchronized ? flags | Opcodes.ACC_SYNCHRONIZED : flags,
            method.getName(),
            descriptor);
    if (isTransaction) {
      TransactionPrologue.emit(code, method.getName(), descriptor);
    }
    code.loadThis();
    code.load(1, Type.getArgumentTypes(descriptor));
    if (called == null) {
      code.invokeSuper(in, method.getName(), descriptor);
    } else {
      code.invokeSpecial(in.name(), called, descriptor);
    }
    code.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
    code.end();
  }

  // -- what uses the elements of the JDK's class always; none of it calls an overridden method

  private void iterator() {
    MethodCode code = MethodCode.begin(to, Opcodes.ACC_PUBLIC, "pmstoreSuperIterator", ITERATOR);
    code.loadThis();
    if (Map.class.isAssignableFrom(above)) {
      if (LinkedHashMap.class.isAssignableFrom(above)) { // whose entrySet calls another method
        code.invokeSuper(in, "sequencedEntrySet", "()Ljava/util/SequencedSet;");
      } else {
        code.invokeSuper(in, "entrySet", "()Ljava/util/Set;");
      }
      code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/util/Set", "iterator", ITERATOR, true);
    } else if (Deque.class.isAssignableFrom(above) && List.class.isAssignableFrom(above)) {
      code.visitInsn(Opcodes.ICONST_0); // the iterator of a LinkedList is that of AbstractList
      code.invokeSuper(in, "listIterator", "(I)Ljava/util/ListIterator;");
    } else if (Deque.class.isAssignableFrom(above)) {
      code.invokeSuper(in, "toArray", "()[Ljava/lang/Object;"); // the iterator asks for the size
      code.invokeStatic("java/util/Arrays", "asList", "([Ljava/lang/Object;)Ljava/util/List;");
      code.visitMethodInsn(Opcodes.INVOKEINTERFACE, "java/util/List", "iterator", ITERATOR, true);
    } else {
      code.invokeSuper(in, "iterator", ITERATOR);
    }
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private void add() {
    MethodCode code =
        MethodCode.begin(
            to, Opcodes.ACC_PUBLIC, "pmstoreSuperAdd", "(Ljava/lang/Object;Ljava/lang/Object;)V");
    code.loadThis();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    if (Map.class.isAssignableFrom(above)) {
      code.visitVarInsn(Opcodes.ALOAD, 2);
      code.invokeSuper(in, "put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
      code.visitInsn(Opcodes.POP);
    } else if (Deque.class.isAssignableFrom(above)) {
      code.invokeSuper(in, "addLast", "(Ljava/lang/Object;)V");
    } else {
      code.invokeSuper(in, "add", "(Ljava/lang/Object;)Z");
      code.visitInsn(Opcodes.POP);
    }
    code.visitInsn(Opcodes.RETURN);
    code.end();
  }

  private void clear() {
    MethodCode code = MethodCode.begin(to, Opcodes.ACC_PUBLIC, "pmstoreSuperClear", "()V");
    code.loadThis();
    code.invokeSuper(
        in, Vector.class.isAssignableFrom(above) ? "removeAllElements" : "clear", "()V");
    code.visitInsn(Opcodes.RETURN);
    code.end();
  }

  private void comparator() {
    String descriptor = "()Ljava/util/Comparator;";
    MethodCode code =
        MethodCode.begin(to, Opcodes.ACC_PUBLIC, "pmstoreSuperComparator", descriptor);
    if (SortedMap.class.isAssignableFrom(above) || SortedSet.class.isAssignableFrom(above)) {
      code.loadThis();
      code.invokeSuper(in, "comparator", descriptor);
    } else {
      code.visitInsn(Opcodes.ACONST_NULL);
    }
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  /** Emits that the elements of a clone, which is on the stack, are a copy. */
  static void copyElements(MethodCode code, ClassFacts in) {
    String superName = superName(in);
    String type = "L" + superName + ";";
    code.visitInsn(Opcodes.DUP);
    code.visitTypeInsn(Opcodes.CHECKCAST, in.name());
    code.loadThis();
    code.invokeSpecial(in.name(), READER, "()" + type);
    code.invokeVirtual(superName, "clone", "()Ljava/lang/Object;");
    code.visitTypeInsn(Opcodes.CHECKCAST, superName);
    String setter =
        EnhancedObject.PUT + EnhancedObject.member(in.name(), EnhancedCollection.ELEMENTS);
    code.invokeVirtual(in.name(), setter, "(" + type + ")V");
  }

  private static void helper(MethodCode code, String name, String descriptor) {
    code.invokeStatic(Spi.ELEMENTS, name, descriptor);
  }
}
