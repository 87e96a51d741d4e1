package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.PrivateMembers;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Copies the code of one class: what touches persistent fields goes through the heap, what calls a
 * copied method calls the copy, and what the copy could not reach is reached through a bridge.
 */
final class CodeCopier {
  private static final String CONSTRUCTOR = "<init>";

  private final CopiedCode copied;
  private final ClassCode code;
  private final Bridges bridges;
  private final Map<String, Maker> makers = new LinkedHashMap<>();

  /** A static method that calls a constructor that the copy cannot refer to. */
  record Maker(String name, ClassDesc made, MethodTypeDesc type) {}

  CodeCopier(CopiedCode copied, Bridges bridges) {
    this.copied = copied;
    this.code = copied.code();
    this.bridges = bridges;
  }

  /**
   * The transformation of one method's code.
   *
   * @param original the code
   * @param isOfClass whether it is a method of the class itself, not of a class in its code
   */
  CodeTransform transform(CodeModel original, boolean isOfClass) {
    Set<Integer> dropped = closedConstructorCalls(original);
    return CodeTransform.ofStateful(
        () ->
            new CodeTransform() {
              private int index;

              @Override
              public void accept(CodeBuilder builder, CodeElement element) {
                if (!dropped.contains(index++)) {
                  copy(builder, element, isOfClass);
                }
              }
            });
  }

  private void copy(CodeBuilder builder, CodeElement element, boolean isOfClass) {
    switch (element) {
      case FieldInstruction field -> field(builder, field);
      case InvokeInstruction call -> call(builder, call, isOfClass);
      case InvokeDynamicInstruction dynamic -> dynamic(builder, dynamic);
      default -> builder.with(element);
    }
  }

  private void field(CodeBuilder builder, FieldInstruction field) {
    String owner = name(field.owner().asSymbol());
    String name = field.name().stringValue();
    ClassDesc receiver = field.owner().asSymbol();
    ClassDesc type = field.typeSymbol();
    boolean isInstance = field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD;
    ClassCode declarer = isInstance ? code.declarerOfField(owner, name) : null;
    MethodTypeDesc read = MethodTypeDesc.of(type, receiver);
    MethodTypeDesc write = MethodTypeDesc.of(ConstantDescs.CD_void, receiver, type);
    if (declarer != null) {
      CopiedCode of = copied.of(declarer);
      if (field.opcode() == Opcode.GETFIELD) {
        builder.invokestatic(of.desc(), of.reader(name), read, true);
      } else {
        builder.invokestatic(of.desc(), of.writer(name), write, true);
      }
    } else if (bridges.isFieldClosed(owner, name)) {
      switch (field.opcode()) {
        case GETFIELD -> bridges.link(builder, PrivateMembers.GET, receiver, name, read);
        case PUTFIELD -> bridges.link(builder, PrivateMembers.PUT, receiver, name, write);
        case GETSTATIC ->
            bridges.link(
                builder, PrivateMembers.GET_STATIC, receiver, name, MethodTypeDesc.of(type));
        default ->
            bridges.link(
                builder,
                PrivateMembers.PUT_STATIC,
                receiver,
                name,
                MethodTypeDesc.of(ConstantDescs.CD_void, type));
      }
    } else {
      builder.with(field);
    }
  }

  private void call(CodeBuilder builder, InvokeInstruction call, boolean isOfClass) {
    ClassDesc owner = call.owner().asSymbol();
    String name = call.name().stringValue();
    String key = name + call.type().stringValue();
    MethodTypeDesc type = call.typeSymbol();
    ClassCode above = code.superclass();
    if (owner.isArray()) {
      builder.with(call);
    } else if (name.equals(CONSTRUCTOR)) {
      if (isClosedConstructor(call)) {
        bridges.link(builder, PrivateMembers.NEW, owner, "new", type.changeReturnType(owner));
      } else {
        builder.with(call);
      }
    } else if (code.isOwnHelper(name(owner), key)) {
      callCopy(builder, copied, key);
    } else if (call.opcode() == Opcode.INVOKESPECIAL && isOfClass) {
      ClassCode declarer = above == null ? null : above.declarerOfMethod(name(owner), key);
      if (declarer != null && declarer.touches(key)) {
        callCopy(builder, copied.of(declarer), key);
      } else {
        MethodTypeDesc onThis = type.insertParameterTypes(0, copied.originalDesc());
        bridges.link(builder, PrivateMembers.CALL_SUPER, owner, name, onThis);
      }
    } else if (!bridges.isMethodClosed(name(owner), name, call.type().stringValue())) {
      builder.with(call);
    } else if (call.opcode() == Opcode.INVOKESTATIC) {
      bridges.link(builder, PrivateMembers.CALL_STATIC, owner, name, type);
    } else {
      MethodTypeDesc onObject = type.insertParameterTypes(0, owner);
      bridges.link(builder, PrivateMembers.CALL, owner, name, onObject);
    }
  }

  private static void callCopy(CodeBuilder builder, CopiedCode of, String key) {
    CopiedCode.Target target = of.method(key);
    builder.invokestatic(of.desc(), target.name(), target.type(), true);
  }

  /** Lambdas and references to private methods name them in the bootstrap's arguments. */
  private void dynamic(CodeBuilder builder, InvokeDynamicInstruction dynamic) {
    DynamicCallSiteDesc site = dynamic.invokedynamic().asSymbol();
    ConstantDesc[] arguments = site.bootstrapArgs();
    boolean changed = false;
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i] instanceof DirectMethodHandleDesc handle) {
        CopiedCode.Target target = target(handle);
        if (target != null) {
          arguments[i] =
              MethodHandleDesc.ofMethod(
                  DirectMethodHandleDesc.Kind.INTERFACE_STATIC,
                  copied.desc(),
                  target.name(),
                  target.type());
          changed = true;
        }
      }
    }
    if (changed) {
      builder.invokedynamic(
          DynamicCallSiteDesc.of(
              (DirectMethodHandleDesc) site.bootstrapMethod(),
              site.invocationName(),
              site.invocationType(),
              arguments));
    } else {
      builder.with(dynamic);
    }
  }

  /** The static method that takes the place of a private one or of a private constructor. */
  private CopiedCode.@Nullable Target target(DirectMethodHandleDesc handle) {
    String owner = name(handle.owner());
    String key = handle.methodName() + handle.lookupDescriptor();
    if (code.isOwnHelper(owner, key)) {
      return copied.method(key);
    }
    if (handle.kind() == DirectMethodHandleDesc.Kind.CONSTRUCTOR
        && bridges.isMethodClosed(owner, CONSTRUCTOR, handle.lookupDescriptor())) {
      Maker maker =
          makers.computeIfAbsent(
              owner + handle.lookupDescriptor(),
              added ->
                  new Maker(
                      "pmstore$new$" + makers.size(), handle.owner(), handle.invocationType()));
      return new CopiedCode.Target(maker.name(), maker.type());
    }
    return null;
  }

  /** Emits what references to private constructors refer to; after all code was copied. */
  void makers(ClassBuilder builder) {
    for (Maker maker : makers.values()) {
      builder.withMethodBody(
          maker.name(),
          maker.type(),
          ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
          code -> {
            for (int i = 0; i < maker.type().parameterCount(); i++) {
              code.loadLocal(TypeKind.from(maker.type().parameterType(i)), code.parameterSlot(i));
            }
            bridges.link(code, PrivateMembers.NEW, maker.made(), "new", maker.type());
            code.areturn();
          });
    }
  }

  /**
   * The places of {@code new} and {@code dup} before calls of constructors that the copy cannot
   * call: the bridge makes the object itself.
   */
  private Set<Integer> closedConstructorCalls(CodeModel original) {
    record Pending(ClassDesc type, int made, int copied) {}
    Set<Integer> dropped = new HashSet<>();
    Deque<Pending> open = new ArrayDeque<>();
    CodeElement[] elements = original.elementList().toArray(CodeElement[]::new);
    for (int i = 0; i < elements.length; i++) {
      if (elements[i] instanceof NewObjectInstruction made) {
        int next = i + 1;
        while (!(elements[next] instanceof StackInstruction)) {
          next++;
        }
        open.push(new Pending(made.className().asSymbol(), i, next));
      } else if (elements[i] instanceof InvokeInstruction call
          && call.name().equalsString(CONSTRUCTOR)
          && !open.isEmpty()
          && open.peek().type().equals(call.owner().asSymbol())) {
        Pending pending = open.pop();
        if (isClosedConstructor(call)) {
          dropped.addAll(Arrays.asList(pending.made(), pending.copied()));
        }
      }
    }
    return dropped;
  }

  private boolean isClosedConstructor(InvokeInstruction call) {
    return bridges.isMethodClosed(
        name(call.owner().asSymbol()), CONSTRUCTOR, call.type().stringValue());
  }

  private static String name(ClassDesc type) {
    String descriptor = type.descriptorString();
    return type.isClassOrInterface()
        ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
        : descriptor;
  }
}
