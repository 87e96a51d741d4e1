package io.pmstore.model.observe;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.pmstore.model.shared.AccessLog;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * Loads the classes of pmstore anew, with calls of {@link AccessLog} at the gates through which all
 * accesses go. The program's own classes stay as they are, so recording costs nothing where it is
 * not used.
 */
public final class RecordingLoader extends URLClassLoader {
  private static final String PROGRAM = "io.pmstore.";
  private static final String SHARED = AccessLog.class.getPackageName() + ".";
  private static final ClassDesc LOG = AccessLog.class.describeConstable().orElseThrow();

  private final Set<String> recorded = new ConcurrentSkipListSet<>();

  /**
   * Prepares; classes are loaded as they are used.
   *
   * @param program where the classes of a program are that is not on the class path; its copies of
   *     pmstore's classes are not used
   */
  public RecordingLoader(URL... program) {
    super(program, RecordingLoader.class.getClassLoader());
  }

  /**
   * Checks that the classes loaded so far have had the gates that the counts rely on.
   *
   * @throws IllegalStateException if one is missing: the program has changed, and {@link Gates} has
   *     to follow
   */
  public void requireGates() {
    Set<String> missing = new TreeSet<>(Gates.REQUIRED);
    missing.removeAll(recorded);
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "accesses are not counted: pmstore has no more %s; adapt %s"
              .formatted(missing, Gates.class.getName()));
    }
  }

  /**
   * Makes an object of a program, which may be a recorded one.
   *
   * @param type its class, which the program may have loaded anew; it has one public constructor
   * @param as an interface that all programs share
   * @throws Exception what the constructor throws
   */
  public static <T> T create(ClassLoader program, Class<?> type, Class<T> as, Object... arguments)
      throws Exception {
    try {
      return as.cast(program.loadClass(type.getName()).getConstructors()[0].newInstance(arguments));
    } catch (InvocationTargetException e) {
      switch (e.getCause()) {
        case Exception cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw e;
      }
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean isOfPmstore = name.startsWith(PROGRAM) && !name.startsWith(SHARED);
    // The parent may have the program's classes too: they use other classes of pmstore.
    if (name.startsWith(SHARED) || (!isOfPmstore && findResource(file(name)) == null)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : isOfPmstore ? define(name) : findClass(name);
    }
  }

  private static String file(String className) {
    return className.replace('.', '/') + ".class";
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream stream = getParent().getResourceAsStream(file(name))) {
      if (stream == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = stream.readAllBytes();
      if (Gates.CLASSES.contains(name)) {
        bytes = withCalls(name, bytes);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] withCalls(String name, byte[] original) {
    ClassFile classFile = ClassFile.of();
    ClassDesc owner = ClassDesc.of(name);
    return classFile.transformClass(
        classFile.parse(original),
        (builder, element) -> {
          Gates.Gate gate =
              element instanceof MethodModel method
                  ? Gates.of(
                      name,
                      method.methodName().stringValue(),
                      method.methodTypeSymbol().displayDescriptor())
                  : null;
          if (gate == null || !(element instanceof MethodModel method)) {
            builder.with(element);
            return;
          }
          recorded.add(gate.name());
          builder.transformMethod(method, MethodTransform.transformingCode(call(gate, owner)));
        });
  }

  private static CodeTransform call(Gates.Gate gate, ClassDesc owner) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder code) {
        emit(code, gate, owner);
      }

      @Override
      public void accept(CodeBuilder code, CodeElement element) {
        code.with(element);
      }
    };
  }

  private static void emit(CodeBuilder code, Gates.Gate gate, ClassDesc owner) {
    switch (gate.call()) {
      case READ, WRITE -> {
        code.lload(1);
        if (gate.lengthSlot() >= 0) {
          code.iload(gate.lengthSlot());
        } else {
          code.loadConstant(gate.length());
        }
        code.invokestatic(
            LOG,
            gate.call() == Gates.Call.READ ? "read" : "write",
            MethodTypeDesc.of(CD_void, CD_long, CD_int));
      }
      case VERSION -> {
        code.iload(1);
        code.invokestatic(LOG, "version", MethodTypeDesc.of(CD_void, CD_int));
      }
      case FILE_WRITE -> {
        code.aload(0);
        code.invokevirtual(owner, "name", MethodTypeDesc.of(CD_String));
        code.iload(gate.lengthSlot());
        code.i2l();
        code.invokestatic(LOG, "fileWrite", MethodTypeDesc.of(CD_void, CD_String, CD_long));
      }
      case SYNC -> {
        code.aload(0);
        code.invokevirtual(owner, "name", MethodTypeDesc.of(CD_String));
        code.invokestatic(LOG, "sync", MethodTypeDesc.of(CD_void, CD_String));
      }
    }
  }
}
