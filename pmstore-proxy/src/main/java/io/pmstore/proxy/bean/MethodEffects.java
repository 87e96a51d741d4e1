package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines which methods of a persistent class may write. It examines their code and that of the
 * methods that they call, as far as that is known: methods of persistent classes, of the interfaces
 * that the class implements, of records that can change in place, and of classes that are declared
 * in the code. It errs on the side of writing: a reader that is taken for a writer costs a
 * transaction that changes nothing.
 *
 * <p>A method may change a value in place if the code reads a property whose value can change so,
 * and does one of these. Values of which only the interface is known may be or hold anything.
 *
 * <ul>
 *   <li>It stores an element of a kind that the value can have, or changes a date.
 *   <li>It passes to code that is not examined, other than a known reader, anything that can be or
 *       hold that value: an array of such a type, a date, a record, and any object that is known as
 *       {@code Object}, as a collection or by its interface, as a lambda is. A collection, stream
 *       or {@code Optional} may hold the value; only passing it on counts.
 *   <li>It gets from elsewhere a function that it could call, or let a stream call, with the value.
 *   <li>It calls a method of an interface that is not an accessor by its form, and the value may
 *       have that interface.
 * </ul>
 */
final class MethodEffects {
  /** A method that calls more others than this may do everything. */
  private static final int METHODS_MAX = 200;

  private final Class<?> type;
  private final ClassFiles files;
  private final Map<String, ClassCode> hierarchy = new LinkedHashMap<>(); // the class itself first
  private final Map<String, Optional<Class<?>>> loaded = new HashMap<>();
  private final Set<Class<?>> interfaces; // of the class

  MethodEffects(ClassCode code, ClassFiles files) {
    this.type = code.type();
    this.files = files;
    this.interfaces = interfaces(type);
    for (ClassCode one = code; one != null; one = one.superclass()) {
      hierarchy.put(one.type().getName(), one);
    }
  }

  /**
   * Returns what a method, declared by a class of the hierarchy, and those that it calls may do.
   */
  MethodEffect of(ClassCode owner, MethodModel method) {
    return KnownMethods.isReader(ClassCode.key(method)) ? MethodEffect.NONE : ofAny(owner, method);
  }

  /** Does the same, but looks into methods that readers are taken for by their names, too. */
  MethodEffect ofAny(ClassCode owner, MethodModel method) {
    Look look = new Look();
    look.add(owner.model(), method);
    look.all();
    if (look.changesInPlace()) {
      return look.hasTransactions
          ? MethodEffect.CHANGES_IN_OWN_TRANSACTIONS
          : MethodEffect.CHANGES_IN_PLACE;
    }
    return look.writes && !look.hasTransactions ? MethodEffect.WRITES : MethodEffect.NONE;
  }

  /** One method and all that it calls. */
  private final class Look {
    private final Set<String> seen = new HashSet<>();
    private final Deque<MethodModel> open = new ArrayDeque<>();
    private boolean hasTransactions;
    private boolean writes;
    private boolean isTooLong;
    private final Set<Class<?>> read = new HashSet<>(); // types that can change in place
    private final Set<TypeKind> stored = new HashSet<>();
    private final Set<Class<?>> passed = new HashSet<>();
    private boolean callsInterface;

    void add(ClassModel in, MethodModel method) {
      if (seen.add(ClassFiles.name(in) + "." + ClassCode.key(method))) {
        open.add(method);
        for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
          given(parameter.descriptorString());
        }
      }
    }

    void all() {
      while (!open.isEmpty() && !isTooLong) {
        isTooLong = seen.size() > METHODS_MAX;
        open.remove().code().ifPresent(code -> code.forEach(this::at));
      }
    }

    private void at(CodeElement element) {
      switch (element) {
        case FieldInstruction field -> field(field);
        case InvokeInstruction call -> {
          Opcode opcode = call.opcode();
          boolean isVirtual = opcode == Opcode.INVOKEVIRTUAL || opcode == Opcode.INVOKEINTERFACE;
          called(
              ClassFiles.name(call.owner()),
              call.name().stringValue(),
              call.type().stringValue(),
              isVirtual);
        }
        case InvokeDynamicInstruction dynamic -> {
          for (LoadableConstantEntry argument : dynamic.invokedynamic().bootstrap().arguments()) {
            if (argument instanceof MethodHandleEntry handle && !isOfField(handle)) {
              MemberRefEntry member = handle.reference();
              String name = member.name().stringValue();
              called(ClassFiles.name(member.owner()), name, member.type().stringValue(), true);
            }
          }
        }
        case NewObjectInstruction made -> localClass(ClassFiles.name(made.className()));
        case ArrayStoreInstruction store -> stored.add(store.typeKind());
        default -> {}
      }
    }

    private static boolean isOfField(MethodHandleEntry handle) {
      return !handle.reference().type().stringValue().startsWith("(");
    }

    private void field(FieldInstruction access) {
      String owner = ClassFiles.name(access.owner());
      String type = access.type().stringValue();
      ClassCode of = hierarchy.get(owner);
      boolean isKept =
          of == null
              ? persistent(owner) != null
              : of.persistentFields().containsKey(access.name().stringValue());
      switch (access.opcode()) {
        case PUTFIELD -> {
          writes |= isKept;
          if (!isKept && of == null && !isLocal(owner)) {
            pass(type);
          }
        }
        case PUTSTATIC -> pass(type);
        case GETFIELD -> {
          if (isKept) {
            read(type);
          } else {
            given(type);
          }
        }
        default -> given(type);
      }
    }

    private void called(String owner, String name, String type, boolean isVirtual) {
      if (owner.equals(PmStore.class.getName())) {
        hasTransactions = true;
      } else if (KnownMethods.isReader(name + type) || KnownMethods.onlyReads(owner, name + type)) {
        // It changes nothing.
      } else if (KnownMethods.isCollection(owner)) {
        writes |= KnownMethods.changesCollection(owner, name);
        if (name.equals("toArray")) {
          passAll(type);
        }
      } else if (isDate(owner)) {
        if (KnownMethods.changesDate(owner, name)) {
          stored.add(TypeKind.REFERENCE);
          passAll(type);
        }
      } else if (!isExamined(owner, name + type)) {
        passAll(type);
        if (!name.startsWith("<") && !owner.startsWith("java.")) {
          calledInProgram(owner, name, type, isVirtual);
        }
      }
    }

    /** Examines a method that no other can override, and returns true, if the code has it. */
    private boolean isExamined(String owner, String key) {
      localClass(owner);
      Class<?> known = known(owner);
      if (known != null && !key.startsWith("<")) {
        ClassModel model = files.of(known);
        MethodModel method = ClassCode.find(model, key);
        if (method != null
            && (method.flags().has(AccessFlag.STATIC) || method.flags().has(AccessFlag.PRIVATE))) {
          read(result(key));
          add(model, method);
          return true;
        }
      }
      return isLocal(owner);
    }

    private void calledInProgram(String owner, String name, String type, boolean isVirtual) {
      Class<?> known = known(owner);
      if (known != null) {
        read(result(type));
        follow(isVirtual && isOwn(known) ? MethodEffects.this.type : known, name, type);
      } else if (loaded(owner).filter(Class::isInterface).isPresent()) {
        read(result(type)); // it may be of a persistent object, or of a record
        callsInterface |= !KnownMethods.isLikeAccessor(name, type);
      } else {
        given(result(type));
      }
    }

    /** Examines the methods that a call may reach, from a class upwards. */
    private void follow(Class<?> from, String name, String type) {
      boolean isFound = false;
      for (Class<?> k = from; k != null && k != Object.class && !isFound; k = k.getSuperclass()) {
        isFound = followIn(k, name + type);
      }
      if (!isFound) {
        for (Class<?> one : interfaces(from)) {
          isFound |= followIn(one, name + type);
        }
      }
      writes |= !isFound && !KnownMethods.isGetter(name); // abstract, so its name has to tell
    }

    private boolean followIn(Class<?> type, String key) {
      ClassModel model = files.of(type);
      MethodModel method = ClassCode.find(model, key);
      if (method == null || method.flags().has(AccessFlag.ABSTRACT)) {
        return false;
      }
      add(model, method);
      return true;
    }

    /** Examines all methods of a class that is declared in the code. */
    private void localClass(String name) {
      for (ClassCode code : hierarchy.values()) {
        ClassModel local = code.localClasses().get(name);
        if (local != null) {
          local.methods().forEach(method -> add(local, method));
        }
      }
    }

    /** Notes that the code has a value of a property. */
    private void read(String descriptor) {
      Class<?> type = typeOf(descriptor);
      if (InPlace.mayChange(type)) {
        read.add(type);
      }
    }

    private void passAll(String methodType) {
      for (ClassDesc parameter : MethodTypeDesc.ofDescriptor(methodType).parameterList()) {
        pass(parameter.descriptorString());
      }
    }

    /** Notes that an object of a type leaves the code that is examined. */
    private void pass(String descriptor) {
      Class<?> type = typeOf(descriptor);
      if (InPlace.mayChange(type)
          || Collection.class.isAssignableFrom(type)
          || Map.class.isAssignableFrom(type)) {
        passed.add(type);
      }
    }

    /** Notes that the code has an object of a type that it has not made. */
    private void given(String descriptor) {
      if (KnownMethods.isFunctionOfObjects(descriptor)) {
        passed.add(Object.class);
      }
    }

    /** Returns true if the code reads a value that can change in place, and may change it. */
    boolean changesInPlace() {
      return isTooLong || read.stream().anyMatch(this::changes);
    }

    private boolean changes(Class<?> type) {
      Class<?> leaf = leaf(type);
      if (InPlace.mayChange(leaf)) { // holds anything
        return callsInterface || !stored.isEmpty() || !passed.isEmpty();
      }
      boolean ofReferences = !type.componentType().isPrimitive();
      for (TypeKind kind : stored) {
        if (kind == TypeKind.REFERENCE ? ofReferences : isOf(kind, leaf)) {
          return true;
        }
      }
      return passed.stream().anyMatch(one -> mayHold(leaf(one), leaf));
    }

    private static boolean mayHold(Class<?> passed, Class<?> leaf) {
      return passed == Object.class
          || passed.isInterface()
          || InPlace.mayChange(passed)
          || Collection.class.isAssignableFrom(passed)
          || Map.class.isAssignableFrom(passed)
          || passed.isAssignableFrom(leaf)
          || leaf.isAssignableFrom(passed);
    }

    private static Class<?> leaf(Class<?> type) {
      Class<?> leaf = type;
      while (leaf.isArray()) {
        leaf = leaf.componentType();
      }
      return leaf;
    }

    private static boolean isOf(TypeKind kind, Class<?> leaf) {
      // Arrays of boolean are stored into as those of byte.
      return leaf.isPrimitive()
          && (TypeKind.from(leaf) == kind
              || (kind == TypeKind.BYTE && leaf == boolean.class)
              || (kind == TypeKind.BOOLEAN && leaf == byte.class));
    }
  }

  private static String result(String methodType) {
    return methodType.substring(methodType.indexOf(')') + 1);
  }

  /** Returns true for a class that is declared in the code. */
  private boolean isLocal(String name) {
    return hierarchy.values().stream().anyMatch(code -> code.localClasses().containsKey(name));
  }

  /** Returns true for a class of dates, calendars or time zones. */
  private boolean isDate(String name) {
    return KnownMethods.isDate(name)
        || (!name.startsWith("java.")
            && !hierarchy.containsKey(name)
            && loaded(name).filter(InPlace::isDateOrZone).isPresent());
  }

  /**
   * Returns the class of a name if its methods are examined: one of the hierarchy, an interface
   * that the class has, an annotated class, or a record that can change in place.
   */
  private @Nullable Class<?> known(String name) {
    Class<?> persistent = persistent(name);
    return persistent != null || name.startsWith("java.")
        ? persistent
        : loaded(name)
            .filter(c -> interfaces.contains(c) || (c.isRecord() && InPlace.mayChange(c)))
            .orElse(null);
  }

  private boolean isOwn(Class<?> known) {
    return hierarchy.containsKey(known.getName()) || interfaces.contains(known);
  }

  /** Returns all interfaces of a class that are not the JDK's. */
  static Set<Class<?>> interfaces(Class<?> type) {
    Set<Class<?>> found = new LinkedHashSet<>();
    for (Class<?> k = type; k != null; k = k.getSuperclass()) {
      for (Class<?> one : k.getInterfaces()) {
        if (!one.getName().startsWith("java.")) {
          found.add(one);
          found.addAll(interfaces(one));
        }
      }
    }
    return found;
  }

  /** Returns the class of a name if it is in the hierarchy or annotated. */
  private @Nullable Class<?> persistent(String name) {
    ClassCode own = hierarchy.get(name);
    return own != null
        ? own.type()
        : name.startsWith("java.")
            ? null
            : loaded(name).filter(c -> c.isAnnotationPresent(Persistent.class)).orElse(null);
  }

  /** Returns the type of a descriptor: {@code Object} if it is unknown. */
  private Class<?> typeOf(String descriptor) {
    if (descriptor.startsWith("[")) {
      return loaded(descriptor.replace('/', '.')).orElse(Object[].class);
    }
    return descriptor.startsWith("L")
        ? loaded(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'))
            .orElse(Object.class)
        : void.class; // or a primitive type
  }

  private Optional<Class<?>> loaded(String name) {
    return loaded.computeIfAbsent(
        name, n -> Optional.ofNullable(ClassFiles.classOrNull(n, type.getClassLoader())));
  }
}
