package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import io.pmstore.enhance.ClassFacts.MethodFacts;
import io.pmstore.spi.EnhancedCollection;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.DebugElementsOption;
import java.lang.classfile.ClassFile.LineNumbersOption;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.InterfaceMethodRefEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Reads {@link ClassFacts} from a class file. */
final class FactsReader {
  private static final ClassFile CLASS_FILES =
      ClassFile.of(DebugElementsOption.DROP_DEBUG, LineNumbersOption.DROP_LINE_NUMBERS);

  private final ClassModel model;
  private final String name;
  private boolean storesElements;
  private boolean changesCollections;
  private boolean givesToReflection;
  private boolean givesToLibrary;
  private boolean isChecked;
  private boolean hasSubroutines;
  private final Set<String> owners = new HashSet<>();
  private final Set<String> called = new HashSet<>();
  private final Set<String> givers = new HashSet<>();
  private final Set<String> transients = new HashSet<>(); // by annotated getters

  private FactsReader(ClassModel model) {
    this.model = model;
    this.name = model.thisClass().asInternalName();
  }

  static ClassFacts read(byte[] classFile) {
    return new FactsReader(CLASS_FILES.parse(classFile)).facts();
  }

  private ClassFacts facts() {
    String superName = model.superclass().map(ClassEntry::asInternalName).orElse(null);
    List<String> above = model.interfaces().stream().map(ClassEntry::asInternalName).toList();
    Map<String, MethodFacts> methods = new LinkedHashMap<>();
    for (MethodModel method : model.methods()) {
      String key = method.methodName().stringValue() + method.methodType().stringValue();
      methods.put(key, new Code(method).facts());
    }
    Map<String, FieldFacts> fields = new LinkedHashMap<>();
    for (FieldModel field : model.fields()) {
      FieldFacts facts = facts(field);
      if ((facts.access() & Opcodes.ACC_STATIC) == 0 && !facts.name().equals(Spi.HANDLE)) {
        fields.put(facts.name(), facts);
      }
    }
    if (superName != null && CollectionCode.isFor(superName)) {
      fields.putIfAbsent(EnhancedCollection.ELEMENTS, CollectionCode.field(superName));
    }
    return new ClassFacts(
        name,
        superName,
        above,
        model.flags().flagsMask(),
        model.majorVersion(),
        isAnnotated(model, Spi.PERSISTENT_ANNOTATION),
        above.contains(Spi.ENHANCED),
        fields,
        methods,
        owners,
        called,
        givers,
        storesElements,
        changesCollections,
        givesToReflection,
        givesToLibrary,
        isChecked,
        hasSubroutines);
  }

  private FieldFacts facts(FieldModel field) {
    String fieldName = field.fieldName().stringValue();
    int flags = field.flags().flagsMask();
    boolean isKept =
        (flags & Opcodes.ACC_TRANSIENT) == 0
            && !isAnnotated(field, Spi.TRANSIENT_ANNOTATION)
            && !transients.contains(fieldName);
    return new FieldFacts(fieldName, field.fieldType().stringValue(), flags, isKept);
  }

  private static boolean isAnnotated(AttributedElement element, String annotation) {
    return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
        .flatMap(attribute -> attribute.annotations().stream())
        .anyMatch(found -> found.className().equalsString(annotation));
  }

  /** The code of one method. */
  private final class Code {
    private final MethodModel of;
    private final int flags;
    private final String method;
    private final List<Instruction> instructions = new ArrayList<>();
    private final FieldHandles fieldHandles = new FieldHandles();
    private final Set<Integer> givesThis = new HashSet<>();
    private @Nullable String field;
    private boolean mayWrite;
    private boolean clonesDirectly;
    private int callsWithObject;
    private boolean isThisLoaded;

    Code(MethodModel of) {
      this.of = of;
      this.flags = of.flags().flagsMask();
      this.method = of.methodName().stringValue();
    }

    MethodFacts facts() {
      CodeAttribute code = of.findAttribute(Attributes.code()).orElse(null);
      Set<Integer> early = Set.of();
      if (code != null) {
        code.forEach(this::accept);
        early = method.equals("<init>") ? EarlyAssignments.in(code) : early;
      }
      if (isAnnotated(of, Spi.TRANSIENT_ANNOTATION)) {
        boolean isGetter =
            instructions.size() == 3
                && isLoad(0, TypeKind.REFERENCE)
                && instructions.get(1).opcode() == Opcode.GETFIELD;
        transients.add(isGetter && field != null ? field : property());
      }
      boolean isSetter =
          instructions.size() == 4
              && isLoad(0, TypeKind.REFERENCE)
              && instructions.get(1) instanceof LoadInstruction
              && instructions.get(2).opcode() == Opcode.PUTFIELD;
      return new MethodFacts(
          flags,
          mayWrite && !isSetter,
          code == null ? 0 : code.maxLocals(),
          fieldHandles.found(),
          early,
          clonesDirectly,
          givesThis);
    }

    private boolean isLoad(int index, TypeKind kind) {
      return instructions.get(index) instanceof LoadInstruction load && load.typeKind() == kind;
    }

    private void accept(CodeElement element) {
      if (element instanceof Instruction instruction) {
        instructions.add(instruction);
        examine(instruction);
        fieldHandles.follow(instruction);
      }
      // At a label, the code may come from elsewhere.
      if (element instanceof Instruction || element instanceof LabelTarget) {
        isThisLoaded =
            element instanceof LoadInstruction load
                && load.typeKind() == TypeKind.REFERENCE
                && load.slot() == 0
                && (flags & Opcodes.ACC_STATIC) == 0;
      }
    }

    private void examine(Instruction instruction) {
      switch (instruction) {
        case DiscontinuedInstruction _ -> hasSubroutines = true;
        case ArrayStoreInstruction _ -> {
          storesElements = true;
          mayWrite = true;
        }
        case FieldInstruction used -> field(used);
        case InvokeInstruction call -> call(call);
        case InvokeDynamicInstruction call -> dynamicCall(call);
        default -> {}
      }
    }

    private void field(FieldInstruction used) {
      if (used.opcode() == Opcode.GETFIELD || used.opcode() == Opcode.PUTFIELD) {
        String owner = used.owner().asInternalName();
        owners.add(owner);
        field = owner.equals(name) ? used.name().stringValue() : null;
        mayWrite |= used.opcode() == Opcode.PUTFIELD;
      }
    }

    private void call(InvokeInstruction call) {
      int opcode = call.opcode().bytecode();
      String owner = call.owner().asInternalName();
      String named = call.name().stringValue();
      String type = call.type().stringValue();
      if (MethodFacts.takesObjectLast(type)) {
        if (isThisLoaded) {
          givesThis.add(callsWithObject);
        }
        callsWithObject++;
      }
      mayWrite = true;
      addCalled(owner, type);
      clonesDirectly |= opcode == Opcodes.INVOKESPECIAL && named.equals("clone");
      isChecked |=
          owner.equals(Spi.COLLECTIONS) || owner.equals(Spi.ARRAYS) || owner.equals(Spi.REFLECTION);
      givesToReflection |= !ReflectiveCalls.arguments(owner, named, type).isEmpty();
      givesToLibrary |= ReflectiveCalls.isOfLibrary(owner, named, type);
      changesCollections |= JdkCalls.changesCollection(opcode, owner, named);
      storesElements |=
          JdkCalls.isListOfArray(owner, named)
              || !JdkCalls.arraysStoredInto(opcode, owner, named, type).isEmpty();
    }

    private void dynamicCall(InvokeDynamicInstruction call) {
      mayWrite = true;
      Handle[] handles =
          call.invokedynamic().bootstrap().arguments().stream()
              .filter(MethodHandleEntry.class::isInstance)
              .map(argument -> handle((MethodHandleEntry) argument))
              .toArray(Handle[]::new);
      changesCollections |=
          JdkCalls.isChangeOfCollection(call.type().stringValue(), (Object[]) handles);
      for (Handle handle : handles) {
        if (handle.getDesc().startsWith("(")) {
          addCalled(handle.getOwner(), handle.getDesc());
          storesElements |= ArrayCalls.isStore(handle);
        }
      }
    }

    private static Handle handle(MethodHandleEntry entry) {
      MemberRefEntry member = entry.reference();
      return new Handle(
          entry.kind(),
          member.owner().asInternalName(),
          member.name().stringValue(),
          member.type().stringValue(),
          member instanceof InterfaceMethodRefEntry);
    }

    private void addCalled(String owner, String type) {
      called.add(owner);
      if (type.contains(")[")) {
        givers.add(owner);
      }
    }

    private String property() {
      String rest =
          method.startsWith("get")
              ? method.substring(3)
              : method.startsWith("is") ? method.substring(2) : method;
      boolean isAcronym =
          rest.length() > 1
              && Character.isUpperCase(rest.charAt(0))
              && Character.isUpperCase(rest.charAt(1));
      return isAcronym || rest.isEmpty()
          ? rest
          : Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
    }
  }
}
