package io.pmstore.proxy.bean;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A method without parameters that assigns one property and returns it, as {@code if (lines ==
 * null) lines = new ArrayList<>(); return lines;} does.
 *
 * @param field the field of the property
 * @param isOnlyInitial whether it assigns the field only where that has the value of a new object,
 *     so that a caller that cannot write may return the value all the same
 */
public record LazyGetter(Field field, boolean isOnlyInitial) {
  private static final Set<Class<?>> COLLECTIONS =
      Set.of(
          Collection.class,
          List.class,
          Set.class,
          SortedSet.class,
          NavigableSet.class,
          Map.class,
          SortedMap.class,
          NavigableMap.class);

  /** Returns what a method assigns and returns; null if it is no such method. */
  public static @Nullable LazyGetter of(ClassCode code, MethodModel method) {
    if (method.flags().has(AccessFlag.STATIC)
        || method.methodTypeSymbol().parameterCount() > 0
        || !assignsAny(method)) { // most methods end here, before their stack is followed
      return null;
    }
    Field field = null;
    List<CodeUse> uses = CodeUse.withReceivers(method);
    for (CodeUse use : uses) {
      if (use instanceof CodeUse.OfField access && !access.reads()) {
        ClassCode declarer = code.declarerOfField(access.owner(), access.name());
        Field written = declarer == code ? code.persistentFields().get(access.name()) : null;
        if (written == null || !access.onThis() || (field != null && !field.equals(written))) {
          return null;
        }
        field = written;
      }
    }
    if (field == null || !returns(method, field) || !isOfThis(code, uses, field)) {
      return null;
    }
    boolean isOnlyInitial = isSafe(field.getType()) && new Look(method, field).isGuarded();
    return new LazyGetter(field, isOnlyInitial);
  }

  private static boolean assignsAny(MethodModel method) {
    CodeModel code = method.code().orElse(null);
    if (code != null) {
      for (CodeElement element : code) {
        if (element instanceof FieldInstruction access && access.opcode() == Opcode.PUTFIELD) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean returns(MethodModel method, Field field) {
    ClassDesc result = method.methodTypeSymbol().returnType();
    Class<?> type = field.getType();
    Class<?> unboxed = MethodType.methodType(type).unwrap().returnType();
    return result.descriptorString().equals(type.descriptorString())
        || result.descriptorString().equals(unboxed.descriptorString());
  }

  /** Returns true if the method uses the field of its own object only. */
  private static boolean isOfThis(ClassCode code, List<CodeUse> uses, Field field) {
    for (CodeUse use : uses) {
      if (use instanceof CodeUse.OfField access
          && access.name().equals(field.getName())
          && code.declarerOfField(access.owner(), access.name()) == code
          && !access.onThis()) {
        return false;
      }
    }
    return true;
  }

  /** Returns true for a value that cannot change, or a collection that can be made unmodifiable. */
  private static boolean isSafe(Class<?> type) {
    boolean isValue =
        type.isPrimitive() || type.isEnum() || type.getPackageName().startsWith("java.");
    boolean isAny = type == Object.class || Collection.class.isAssignableFrom(type);
    return isCollection(type)
        || (isValue && !isAny && !type.isArray() && !Map.class.isAssignableFrom(type));
  }

  private static boolean isCollection(Class<?> type) {
    return COLLECTIONS.contains(type);
  }

  /**
   * Returns true if the property is declared as a collection interface of which the JDK has
   * unmodifiable implementations.
   */
  public boolean isOfCollection() {
    return isCollection(field.getType());
  }

  /** Finds the test before each assignment. */
  private static final class Look {
    private final List<Instruction> code = new ArrayList<>();
    private final List<ExceptionCatch> handlers;
    private final Map<Label, Integer> labels = new HashMap<>();
    private final String field;

    Look(MethodModel method, Field field) {
      CodeModel body = method.code().orElseThrow();
      this.handlers = body.exceptionHandlers();
      this.field = field.getName();
      for (CodeElement element : body) {
        if (element instanceof LabelTarget target) {
          labels.put(target.label(), code.size());
        } else if (element instanceof Instruction instruction) {
          code.add(instruction);
        }
      }
    }

    /** Returns true if all assignments are behind a test that finds nothing in the field. */
    boolean isGuarded() {
      List<int[]> unset = new ArrayList<>();
      for (int i = 0; i < code.size(); i++) {
        if (code.get(i) instanceof TableSwitchInstruction
            || code.get(i) instanceof LookupSwitchInstruction) {
          return false; // it may jump anywhere
        }
        if (isAccess(i, Opcode.GETFIELD)) {
          int test = test(i);
          int[] region = test < 0 ? null : region(test);
          if (region != null) {
            unset.add(region);
          }
        }
      }
      for (int i = 0; i < code.size(); i++) {
        int at = i;
        if (isAccess(i, Opcode.PUTFIELD) && unset.stream().noneMatch(r -> r[0] < at && at < r[1])) {
          return false;
        }
      }
      return true;
    }

    private boolean isAccess(int at, Opcode opcode) {
      return code.get(at) instanceof FieldInstruction access
          && access.opcode() == opcode
          && access.name().equalsString(field);
    }

    /**
     * Returns the index of the branch on what was read, perhaps through a local variable; -1 if
     * there is none.
     */
    private int test(int read) {
      int at = read + 1;
      if (code.get(at) instanceof StoreInstruction store
          && code.get(at + 1) instanceof LoadInstruction load
          && load.slot() == store.slot()) {
        at += 2;
      } else if (code.get(at) instanceof StackInstruction copy
          && (copy.opcode() == Opcode.DUP || copy.opcode() == Opcode.DUP2)
          && code.get(at + 1) instanceof StoreInstruction) {
        at += 2;
      }
      if (code.get(at) instanceof ConstantInstruction zero
          && zero.constantValue() instanceof Number number
          && number.doubleValue() == 0
          && code.get(at + 1) instanceof OperatorInstruction) {
        at += 2;
      }
      return code.get(at) instanceof BranchInstruction ? at : -1;
    }

    /**
     * Returns the elements between which the field has the value of a new object; null if there are
     * none.
     */
    private int @Nullable [] region(int test) {
      BranchInstruction branch = (BranchInstruction) code.get(test);
      int target = labels.getOrDefault(branch.target(), -1);
      if (target <= test) {
        return null;
      }
      int[] region;
      switch (branch.opcode()) {
        case IFNONNULL, IFNE -> region = new int[] {test + 1, target};
        case IFNULL, IFEQ -> {
          if (!endsBefore(target)) {
            return null;
          }
          int end = code.size();
          for (int i = 0; i < target; i++) {
            if (i != test && code.get(i) instanceof BranchInstruction other) {
              int to = labels.getOrDefault(other.target(), 0);
              end = to >= target ? Math.min(end, to) : end;
            }
          }
          region = new int[] {target, end};
        }
        default -> {
          return null;
        }
      }
      for (int i = 0; i < code.size(); i++) {
        if (i != test && !isIn(region, i) && code.get(i) instanceof BranchInstruction other) {
          int to = labels.getOrDefault(other.target(), 0);
          if (isIn(region, to)) {
            return null; // it is reached some other way, too
          }
        }
      }
      for (ExceptionCatch handler : handlers) {
        if (isIn(region, labels.getOrDefault(handler.handler(), 0))
            && !isIn(region, labels.getOrDefault(handler.tryStart(), 0))) {
          return null;
        }
      }
      return region;
    }

    private boolean endsBefore(int target) {
      Instruction last = code.get(target - 1);
      return last instanceof ReturnInstruction
          || last instanceof ThrowInstruction
          || (last instanceof BranchInstruction jump
              && (jump.opcode() == Opcode.GOTO || jump.opcode() == Opcode.GOTO_W));
    }

    private static boolean isIn(int[] region, int at) {
      return region[0] <= at && at < region[1];
    }
  }
}
