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
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Determines which methods of a persistent class may write, from their code and that of the methods
 * of persistent classes that they call. It errs on the side of writing: a reader that is taken for
 * a writer costs a transaction that changes nothing.
 */
final class MethodEffects {
  /** A method that calls more others than this is taken for one that writes. */
  private static final int METHODS_MAX = 200;

  private static final String ANY = "Ljava/lang/Object;";
  private static final Set<String> READERS =
      Set.of("equals", "hashCode", "toString", "compareTo", "compare", "clone", "finalize");
  private static final Pattern GETTER = Pattern.compile("(get|is|has)\\p{Lu}.*");
  private static final Pattern MUTATOR =
      Pattern.compile(
          "(add|insert|remove|put|set|clear|retain|replace|compute|merge|push|pop|poll|offer|sort"
              + "|swap|shuffle|reverse|rotate|fill|take|drain).*");

  // The interfaces of persistent collections, and classes that change collections passed to them.
  private static final Pattern COLLECTION =
      Pattern.compile(
          "java\\.util\\.(Collections?|((Sequenced|Sorted|Navigable)?(Set|Map))|List|Queue|Deque"
              + "|SequencedCollection|Map\\$Entry|(List)?Iterator|concurrent\\.\\w*Map)");

  // The classes of dates, calendars and time zones, and their methods that change one.
  private static final Pattern DATE =
      Pattern.compile(
          "java\\.sql\\..*|java\\.util\\.(Date|(Gregorian)?Calendar|(Simple)?TimeZone)");
  private static final Pattern CHANGES_DATE = Pattern.compile("(set|add|roll|clear).*");

  // The methods of other classes of dates, calendars and time zones that change none.
  private static final Pattern READS_DATE =
      Pattern.compile(
          "(get|is|has|to|compare|before|after|format|in|use|observes)(\\p{Lu}.*)?|after|before"
              + "|equals|hashCode|clone|<init>");

  // Methods that read an array passed to them, and neither change nor keep it.
  private static final Pattern ONLY_READS =
      Pattern.compile(
          "java\\.util\\.Arrays\\.(equals|hashCode|toString|copyOf.*|stream|binarySearch|deep.*"
              + "|mismatch|compare.*)"
              + "|java\\.lang\\.(String|StringBuilder|Math|Integer|Long|Boolean)\\..*"
              + "|java\\.(math|time|text|util\\.stream|util\\.function)\\..*"
              + "|java\\.util\\.(Objects|Base64|UUID|HexFormat|Optional)\\b.*");

  private final Class<?> type;
  private final ClassFiles files;
  private final Map<String, ClassCode> hierarchy = new LinkedHashMap<>(); // the class itself first
  private final Map<String, Optional<Class<?>>> annotated = new HashMap<>();
  private final Map<String, Boolean> dates = new HashMap<>(); // of other projects

  MethodEffects(ClassCode code, ClassFiles files) {
    this.type = code.type();
    this.files = files;
    for (ClassCode one = code; one != null; one = one.superclass()) {
      hierarchy.put(one.type().getName(), one);
    }
  }

  /**
   * Returns what a method, declared by a class of the hierarchy, and those that it calls may do.
   */
  MethodEffect of(ClassCode owner, MethodModel method) {
    return READERS.contains(method.methodName().stringValue())
        ? MethodEffect.NONE
        : ofAny(owner, method);
  }

  /** Does the same, but looks into methods that readers are taken for by their names, too. */
  MethodEffect ofAny(ClassCode owner, MethodModel method) {
    Look look = new Look();
    look.add(owner.model(), method);
    look.all();
    boolean inPlace = look.changesInPlace();
    return look.hasTransactions
        ? MethodEffect.NONE
        : inPlace
            ? MethodEffect.CHANGES_IN_PLACE
            : look.writes ? MethodEffect.WRITES : MethodEffect.NONE;
  }

  /** One method and all that it calls. */
  private final class Look {
    private final Set<String> seen = new HashSet<>();
    private final Deque<MethodModel> open = new ArrayDeque<>();
    private boolean hasTransactions;
    private boolean writes;
    private final Set<String> read = new HashSet<>(); // types that can change in place
    private final Set<TypeKind> stored = new HashSet<>();
    private final Set<String> passed = new HashSet<>();

    void add(ClassModel in, MethodModel method) {
      if (seen.add(ClassFiles.name(in) + "." + ClassCode.key(method))) {
        open.add(method);
      }
    }

    void all() {
      while (!open.isEmpty()) {
        if (seen.size() > METHODS_MAX) {
          writes = true;
          return;
        }
        open.remove().code().ifPresent(code -> code.forEach(this::at));
      }
    }

    private void at(CodeElement element) {
      switch (element) {
        case FieldInstruction field -> field(field);
        case InvokeInstruction call -> {
          String name = call.name().stringValue();
          String owner = ClassFiles.name(call.owner());
          if (!ONLY_READS.matcher(owner + "." + name).matches() && !isCollection(owner)) {
            for (ClassDesc parameter : call.typeSymbol().parameterList()) {
              if (mayChange(parameter.descriptorString())) {
                passed.add(parameter.descriptorString());
              }
            }
          }
          boolean isVirtual = call.opcode() == Opcode.INVOKEVIRTUAL;
          called(owner, name, call.type().stringValue(), isVirtual);
        }
        case InvokeDynamicInstruction dynamic -> {
          for (LoadableConstantEntry argument : dynamic.invokedynamic().bootstrap().arguments()) {
            if (argument instanceof MethodHandleEntry handle) {
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

    private void field(FieldInstruction access) {
      String owner = ClassFiles.name(access.owner());
      String name = access.name().stringValue();
      ClassCode of = hierarchy.get(owner);
      Field field = of == null ? null : of.persistentFields().get(name);
      boolean isKept = of == null ? persistent(owner) != null : field != null;
      if (isKept && access.opcode() == Opcode.PUTFIELD) {
        writes = true;
      } else if (isKept && access.opcode() == Opcode.GETFIELD) {
        if (field == null
            ? mayChange(access.type().stringValue())
            : InPlace.mayChange(field.getType())) {
          read.add(access.type().stringValue());
        }
      }
    }

    private void called(String owner, String name, String type, boolean isVirtual) {
      if (owner.equals(PmStore.class.getName())) {
        hasTransactions = true;
      } else if (isCollection(owner)) {
        writes |= MUTATOR.matcher(name).matches();
      } else if (isDate(owner)) {
        if (changesDate(owner, name)) {
          stored.add(TypeKind.REFERENCE);
        }
      } else if (!name.startsWith("<") && !READERS.contains(name)) {
        Class<?> target = persistent(owner);
        if (target != null) {
          String result = type.substring(type.indexOf(')') + 1);
          if (mayChange(result)) {
            read.add(result);
          }
          boolean isOwn = isVirtual && hierarchy.containsKey(owner);
          follow(isOwn ? MethodEffects.this.type : target, name, type);
        } else {
          localClass(owner);
        }
      }
    }

    /** Examines the method that a call reaches, from a class upwards. */
    private void follow(Class<?> from, String name, String type) {
      for (Class<?> k = from; k != null && k != Object.class; k = k.getSuperclass()) {
        ClassModel model = files.of(k);
        for (MethodModel method : model.methods()) {
          if (method.methodName().equalsString(name) && method.methodType().equalsString(type)) {
            if (!method.flags().has(AccessFlag.ABSTRACT)) {
              add(model, method);
              return;
            }
          }
        }
      }
      writes |= !GETTER.matcher(name).matches(); // abstract, so its name has to tell
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

    /**
     * Returns true if the code reads a value that can change in place, and changes one of its kind.
     */
    boolean changesInPlace() {
      for (String type : read) {
        boolean isArray = type.startsWith("[");
        String leaf = type.replaceFirst("\\[+", "");
        if (!isArray && !stored.isEmpty()) {
          return true;
        }
        boolean ofReferences = type.startsWith("[[") || leaf.startsWith("L");
        for (TypeKind kind : stored) {
          if (kind == TypeKind.REFERENCE ? ofReferences : isOf(kind, leaf)) {
            return true;
          }
        }
        for (String parameter : passed) {
          if (type.endsWith(parameter)
              || !isArray
              || parameter.equals(ANY)
              || (ofReferences && parameter.equals("[" + ANY))) {
            return true;
          }
        }
      }
      return false;
    }

    private static boolean isOf(TypeKind kind, String leaf) {
      // Arrays of boolean are stored into as those of byte.
      return leaf.length() == 1
          && (TypeKind.fromDescriptor(leaf) == kind
              || (kind == TypeKind.BYTE && leaf.equals("Z"))
              || (kind == TypeKind.BOOLEAN && leaf.equals("B")));
    }
  }

  private static boolean isCollection(String owner) {
    return COLLECTION.matcher(owner).matches() || CollectionClasses.contains(owner);
  }

  private boolean mayChange(String descriptor) {
    if (!descriptor.startsWith("L") || descriptor.equals(ANY)) {
      return descriptor.startsWith("[") || descriptor.equals(ANY);
    }
    return isDate(descriptor.substring(1, descriptor.length() - 1).replace('/', '.'));
  }

  /** Returns true for a class of dates, calendars or time zones. */
  private boolean isDate(String name) {
    return DATE.matcher(name).matches()
        || (!name.startsWith("java.")
            && !hierarchy.containsKey(name)
            && dates.computeIfAbsent(
                name, n -> loaded(n).filter(found -> InPlace.isDateOrZone(found)).isPresent()));
  }

  private static boolean changesDate(String owner, String name) {
    return DATE.matcher(owner).matches()
        ? CHANGES_DATE.matcher(name).matches()
        : !READS_DATE.matcher(name).matches();
  }

  /**
   * Returns the class of a name if it is in the hierarchy or annotated, and no collection
   * interface.
   */
  private @Nullable Class<?> persistent(String name) {
    ClassCode own = hierarchy.get(name);
    return own != null ? own.type() : annotated.computeIfAbsent(name, this::annotated).orElse(null);
  }

  private Optional<Class<?>> annotated(String name) {
    return name.startsWith("java.")
        ? Optional.empty()
        : loaded(name).filter(c -> c.isAnnotationPresent(Persistent.class));
  }

  private Optional<Class<?>> loaded(String name) {
    if (name.startsWith("[")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Class.forName(name, false, type.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty(); // the method fails when it gets there
    }
  }
}
