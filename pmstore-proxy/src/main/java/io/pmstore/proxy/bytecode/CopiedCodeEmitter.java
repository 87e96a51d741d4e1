package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.spi.PrivateMembers;
import java.lang.classfile.AccessFlags;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.PermittedSubclassesAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the bytes of the interface with a class's copied code, and of the copied local classes. */
final class CopiedCodeEmitter {
  private static final int PUBLIC_STATIC = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;

  private final CopiedCode copied;
  private final ClassCode code;
  private final ClassFile classFile;
  private final Bridges bridges;
  private final CodeCopier copier;
  private final List<ClassModel> localClasses;

  private CopiedCodeEmitter(CopiedCode copied) {
    this.copied = copied;
    this.code = copied.code();
    this.localClasses = code.copiedClasses();
    ClassLoader loader = code.type().getClassLoader();
    this.classFile =
        ClassFile.of(
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.ClassHierarchyResolverOption.of(
                loader == null
                    ? ClassHierarchyResolver.defaultResolver()
                    : ClassHierarchyResolver.ofResourceParsing(loader)
                        .orElse(ClassHierarchyResolver.ofClassLoading(loader))));
    this.bridges =
        new Bridges(code, localClasses.stream().map(Names::of).collect(Collectors.toSet()));
    this.copier = new CodeCopier(copied, bridges);
  }

  /**
   * Makes the bytes.
   *
   * @param copied the names
   * @return class files by class names, in the order in which they can be defined
   */
  static Map<String, byte[]> emit(CopiedCode copied) {
    return new CopiedCodeEmitter(copied).emit();
  }

  private Map<String, byte[]> emit() {
    Map<String, String> renamed = new LinkedHashMap<>();
    for (ClassModel local : localClasses) {
      renamed.put(Names.of(local), copied.copyOf(Names.of(local)));
    }
    Map<String, byte[]> made = new LinkedHashMap<>();
    for (ClassModel local : localClasses) {
      made.put(copied.copyOf(Names.of(local)), Renaming.of(copy(local), renamed));
    }
    // The interface also holds what the copies of local classes need, so it is made behind them.
    made.put(copied.name(), Renaming.of(classFile.build(copied.desc(), this::members), renamed));
    return made;
  }

  private void members(ClassBuilder builder) {
    builder
        .withFlags(
            ClassFile.ACC_PUBLIC
                | ClassFile.ACC_INTERFACE
                | ClassFile.ACC_ABSTRACT
                | ClassFile.ACC_SYNTHETIC)
        .withVersion(ClassFile.JAVA_25_VERSION, 0);
    code.model()
        .findAttribute(Attributes.sourceFile())
        .ifPresent(a -> builder.with(SourceFileAttribute.of(a.sourceFile().stringValue())));
    code.persistentFields()
        .forEach((name, field) -> field(builder, name, field.getType().describeConstable().get()));
    code.copiedMethods().forEach((key, method) -> method(builder, key, method));
    copier.makers(builder);
  }

  private void field(ClassBuilder builder, String name, ClassDesc type) {
    MethodTypeDesc get = MethodTypeDesc.of(type);
    MethodTypeDesc set = MethodTypeDesc.of(ConstantDescs.CD_void, type);
    int flags = ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT | ClassFile.ACC_SYNTHETIC;
    builder.withMethod(copied.getter(name), get, flags, method -> {});
    builder.withMethod(copied.setter(name), set, flags, method -> {});
    ClassDesc owner = copied.originalDesc();
    int helper = PUBLIC_STATIC | ClassFile.ACC_SYNTHETIC;
    MethodTypeDesc read = get.insertParameterTypes(0, owner);
    builder.withMethodBody(
        copied.reader(name),
        read,
        helper,
        code ->
            code.aload(0)
                .instanceOf(copied.desc())
                .ifThenElse(
                    persistent ->
                        persistent
                            .aload(0)
                            .checkcast(copied.desc())
                            .invokeinterface(copied.desc(), copied.getter(name), get)
                            .return_(TypeKind.from(type)),
                    plain -> {
                      plain.aload(0);
                      bridges.link(plain, PrivateMembers.GET, owner, name, read);
                      plain.return_(TypeKind.from(type));
                    }));
    MethodTypeDesc write = set.insertParameterTypes(0, owner);
    builder.withMethodBody(
        copied.writer(name),
        write,
        helper,
        code ->
            code.aload(0)
                .instanceOf(copied.desc())
                .ifThenElse(
                    persistent ->
                        persistent
                            .aload(0)
                            .checkcast(copied.desc())
                            .loadLocal(TypeKind.from(type), 1)
                            .invokeinterface(copied.desc(), copied.setter(name), set)
                            .return_(),
                    plain -> {
                      plain.aload(0).loadLocal(TypeKind.from(type), 1);
                      bridges.link(plain, PrivateMembers.PUT, owner, name, write);
                      plain.return_();
                    }));
  }

  private void method(ClassBuilder builder, String key, MethodModel method) {
    CopiedCode.Target target = copied.method(key);
    CodeModel original = method.code().orElseThrow();
    int flags =
        PUBLIC_STATIC
            | (method.flags().flagsMask() & (ClassFile.ACC_VARARGS | ClassFile.ACC_SYNTHETIC));
    String name = target.name();
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      String body = name + "$body";
      builder.withMethodBody(
          name,
          target.type(),
          flags | ClassFile.ACC_SYNTHETIC,
          code -> holdingMonitor(code, method, body, target.type()));
      name = body;
    }
    builder.withMethod(
        name,
        target.type(),
        flags,
        copy -> copy.transformCode(original, copier.transform(original, true)));
  }

  private void holdingMonitor(
      CodeBuilder builder, MethodModel method, String body, MethodTypeDesc type) {
    int monitor = builder.allocateLocal(TypeKind.REFERENCE);
    if (method.flags().has(AccessFlag.STATIC)) {
      builder.loadConstant(copied.originalDesc());
    } else {
      builder.aload(0);
    }
    builder.dup().astore(monitor).monitorenter();
    builder.trying(
        tried -> {
          for (int i = 0; i < type.parameterCount(); i++) {
            tried.loadLocal(TypeKind.from(type.parameterType(i)), tried.parameterSlot(i));
          }
          tried
              .invokestatic(copied.desc(), body, type, true)
              .aload(monitor)
              .monitorexit()
              .return_(TypeKind.from(type.returnType()));
        },
        handlers -> handlers.catchingAll(caught -> caught.aload(monitor).monitorexit().athrow()));
  }

  /** A copy under the same name, whose members are no longer private, since it is no nestmate. */
  private byte[] copy(ClassModel local) {
    ClassTransform transform =
        (builder, element) -> {
          switch (element) {
            case NestHostAttribute host -> {}
            case PermittedSubclassesAttribute permitted -> {} // of an enum with bodies
            case InnerClassesAttribute inner -> {}
            case EnclosingMethodAttribute enclosing -> {}
            case FieldModel field ->
                builder.withField(
                    field.fieldName().stringValue(),
                    field.fieldTypeSymbol(),
                    copy -> {
                      field.forEach(copy::with);
                      copy.withFlags(opened(field.flags().flagsMask()));
                    });
            case MethodModel method ->
                builder.withMethod(
                    method.methodName().stringValue(),
                    method.methodTypeSymbol(),
                    opened(method.flags().flagsMask()),
                    copy ->
                        method.forEach(
                            part -> {
                              if (part instanceof CodeModel original) {
                                copy.transformCode(original, copier.transform(original, false));
                              } else if (!(part instanceof AccessFlags)) {
                                copy.with(part);
                              }
                            }));
            default -> builder.with(element);
          }
        };
    return classFile.transformClass(local, transform);
  }

  private static int opened(int flags) {
    return flags & ~ClassFile.ACC_PRIVATE;
  }
}
