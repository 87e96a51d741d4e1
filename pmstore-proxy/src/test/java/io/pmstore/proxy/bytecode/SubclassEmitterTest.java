package io.pmstore.proxy.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanDiscovery;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The accessors are what their speed depends on: the handle, constants, one call, and a cast where
 * the type needs it.
 */
class SubclassEmitterTest {

  @Persistent
  interface Bean {
    long getPrice();

    void setPrice(long price);

    @Nullable String getSymbol();

    void setSymbol(@Nullable String symbol);
  }

  private final BeanClass bean = BeanDiscovery.discover(Bean.class);
  private final ClassModel model =
      ClassFile.of().parse(SubclassEmitter.emit(bean, Bean.class.getName() + "$Persistent", null));

  private List<String> code(String name) {
    MethodModel method =
        model.methods().stream()
            .filter(m -> m.methodName().equalsString(name))
            .findFirst()
            .orElseThrow();
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .filter(Instruction.class::isInstance)
        .map(element -> describe((Instruction) element))
        .toList();
  }

  private static String describe(Instruction instruction) {
    return switch (instruction) {
      case ConstantInstruction constant -> "constant " + constant.constantValue();
      case FieldInstruction field -> field.opcode() + " " + field.name();
      case InvokeInstruction call ->
          call.opcode() + " " + call.owner().asInternalName() + "." + call.name() + call.type();
      case TypeCheckInstruction cast -> cast.opcode() + " " + cast.type().asInternalName();
      default -> instruction.opcode().toString();
    };
  }

  @Test
  void aPrimitiveIsOneCallWhileTheObjectIsAlive() {
    assertEquals(
        List.of(
            "ALOAD_0",
            "GETFIELD pmstore$handle",
            "constant 24",
            "INVOKEVIRTUAL io/pmstore/spi/ObjectHandle.getLong(I)J",
            "ALOAD_0",
            "INVOKESTATIC java/lang/ref/Reference.reachabilityFence(Ljava/lang/Object;)V",
            "LRETURN"),
        code("getPrice"));
    assertEquals(
        List.of(
            "ALOAD_0",
            "GETFIELD pmstore$handle",
            "constant 24",
            "LLOAD_1",
            "INVOKEVIRTUAL io/pmstore/spi/ObjectHandle.putLong(IJ)V",
            "ALOAD_0",
            "INVOKESTATIC java/lang/ref/Reference.reachabilityFence(Ljava/lang/Object;)V",
            "RETURN"),
        code("setPrice"));
  }

  @Test
  void anythingElseIsOneCallAndACheckWhileTheObjectIsAlive() {
    assertEquals(
        List.of(
            "ALOAD_0",
            "GETFIELD pmstore$handle",
            "constant 8",
            "constant " + (11 << 24),
            "INVOKEVIRTUAL io/pmstore/spi/ObjectHandle.getObject(II)Ljava/lang/Object;",
            "DUP",
            "INSTANCEOF java/lang/String",
            "IFNE",
            "ALOAD_0",
            "GETFIELD pmstore$handle",
            "SWAP",
            "constant " + (11 << 24),
            "INVOKEVIRTUAL"
                + " io/pmstore/spi/ObjectHandle.requireNull(Ljava/lang/Object;I)Ljava/lang/Object;",
            "CHECKCAST java/lang/String",
            "ALOAD_0",
            "INVOKESTATIC java/lang/ref/Reference.reachabilityFence(Ljava/lang/Object;)V",
            "ARETURN"),
        code("getSymbol"));
    assertEquals(
        List.of(
            "ALOAD_0",
            "GETFIELD pmstore$handle",
            "constant 8",
            "constant " + (11 << 24),
            "ALOAD_1",
            "INVOKEVIRTUAL io/pmstore/spi/ObjectHandle.putObject(IILjava/lang/Object;)V",
            "ALOAD_0",
            "INVOKESTATIC java/lang/ref/Reference.reachabilityFence(Ljava/lang/Object;)V",
            "RETURN"),
        code("setSymbol"));
  }

  @Test
  void noLibraryIsReferredTo() {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof ClassEntry type) {
        String name = type.asInternalName();
        assertTrue(
            Stream.of("java/lang/", "io/pmstore/spi/", Bean.class.getName().replace('.', '/'))
                .anyMatch(name::startsWith),
            name);
      }
    }
    assertTrue(model.methods().stream().noneMatch(m -> m.methodName().equalsString("<init>")));
  }
}
