package io.pmstore.proxy.bytecode;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.ConstantConstructor;
import io.pmstore.spi.ObjectHandle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A class whose objects are kept in stores, with its generated class: the same for all stores of
 * the program. Safe for use by any number of threads.
 */
public final class PersistentClass {
  private static final MethodType READER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType CONSTRUCTOR = MethodType.methodType(Object.class);

  private final BeanClass bean;
  private final Class<?> generated;
  private final Instantiator instantiator;
  private final MethodHandle[] readers;
  private final TransientFields transients;
  private final DeadFields deadFields;
  private final OnLoadCalls onLoad;
  private final @Nullable MethodHandle constructor;
  private volatile @Nullable PlainFields plainFields; // made when first needed
  private final ConstantObjects constants;
  private final boolean makesAlike;
  private final boolean hasIdentityHash;
  private final boolean hasIdentityEquals;

  PersistentClass(
      BeanClass bean,
      Class<?> generated,
      Instantiator instantiator,
      MethodHandle[] readers,
      OnLoadCalls onLoad,
      @Nullable MethodHandle constructor)
      throws ReflectiveOperationException {
    this.bean = bean;
    this.generated = generated;
    this.instantiator = instantiator;
    this.readers = new MethodHandle[readers.length];
    for (int i = 0; i < readers.length; i++) {
      this.readers[i] = readers[i].asType(READER);
    }
    this.transients = new TransientFields(bean);
    this.deadFields = new DeadFields(bean);
    this.onLoad = onLoad;
    this.constructor = constructor == null ? null : constructor.asType(CONSTRUCTOR);
    this.constants = new ConstantObjects(bean);
    ClassCode code = bean.code();
    this.makesAlike =
        constructor != null
            && code != null
            && ConstantConstructor.isIn(code, bean.transients().isEmpty());
    this.hasIdentityHash = hasIdentityHash(bean.type());
    this.hasIdentityEquals =
        generated.getMethod("equals", Object.class).getDeclaringClass() == Object.class;
  }

  static boolean hasIdentityHash(Class<?> type) {
    return isOfObject(type, "hashCode");
  }

  /** Returns true if a class has no {@code toString} but that of {@code Object}. */
  static boolean hasNoText(Class<?> type) {
    return isOfObject(type, "toString");
  }

  private static boolean isOfObject(Class<?> type, String method) {
    try {
      return type.isInterface() || type.getMethod(method).getDeclaringClass() == Object.class;
    } catch (NoSuchMethodException e) {
      throw new LinkageError("class " + type.getName() + " has no " + method, e);
    }
  }

  BeanClass bean() {
    return bean;
  }

  /** Returns the user's class or interface. */
  public Class<?> type() {
    return bean.type();
  }

  /** Returns the generated class, that of the objects that stand for objects of a heap. */
  public Class<?> generated() {
    return generated;
  }

  /**
   * Returns true if the class was enhanced: its own objects are persistent, and there is no
   * generated class.
   */
  public boolean isEnhanced() {
    return bean.isEnhanced();
  }

  /**
   * Makes a plain object of an enhanced class persistent. Its fields stay as they are, and its code
   * does not use them any more.
   *
   * @return false if it is persistent already
   */
  public boolean attach(Object plain, ObjectHandle handle) {
    return instantiator.attach(plain, handle);
  }

  /**
   * Returns true if a constant of the program holds the object, and nothing can change what a store
   * keeps of it. Such an object stays plain, in however many stores it is.
   */
  public boolean isConstant(Object plain) {
    return constants.contains(plain, this);
  }

  /**
   * Returns true if an object of a heap that is equal to a constant can be replaced by it: the
   * class says what is equal, and nothing has to run when an object is read back.
   */
  public boolean hasEqualConstants() {
    return constants.canBe() && !hasIdentityEquals && !hasIdentityHash && !hasOnLoad();
  }

  /** Returns true if a plain object can be a part of a constant, and so stay plain with it. */
  boolean isPartOfConstants(Object plain) {
    return constants.canBePart(plain, this);
  }

  /**
   * Returns the constant whose properties have the given values, in the order of the shape, with a
   * {@link ConstantPart} in place of each object of an enhanced class.
   */
  public @Nullable Object constantOf(List<@Nullable Object> values) {
    return constants.withValues(values, this);
  }

  /** Makes it plain again, with the values that its fields had. */
  public void detach(Object attached) {
    instantiator.detach(attached);
  }

  /** Drops what the fields of an object refer to that is persistent for good. */
  public void clearPlain(Object attached) {
    for (int i = 0; i < properties().size(); i++) {
      if (!properties().get(i).type().isPrimitive()) {
        writePlain(attached, i, null);
      }
    }
  }

  /** Returns the shape of its objects in a heap, with id 0. */
  public Shape shape() {
    return bean.shape();
  }

  /** Returns its properties, in the order of the shape. */
  public List<BeanProperty> properties() {
    return bean.properties();
  }

  /** Returns true if the class has the hash code of {@code Object}. */
  public boolean hasIdentityHash() {
    return hasIdentityHash;
  }

  /** Returns true if the class has the equality of {@code Object}. */
  public boolean hasIdentityEquals() {
    return hasIdentityEquals;
  }

  /** Returns true for an interface, which has no plain objects. */
  public boolean isInterface() {
    return bean.type().isInterface();
  }

  /**
   * Makes the Java object that stands for an object of a heap. No constructor of the user's class
   * runs.
   */
  public Object newPersistent(ObjectHandle handle) {
    Object made = instantiator.instantiate(handle);
    deadFields.mark(made);
    return made;
  }

  /**
   * Returns true if {@link #newPlain} can make an object: the class has a no-argument constructor
   * and is not abstract.
   */
  public boolean canMakePlain() {
    return constructor != null;
  }

  /**
   * Makes a plain object with the no-argument constructor of the user's class.
   *
   * @throws ClassRefusedException if the class has no such constructor or is abstract
   */
  public Object newPlain() {
    if (constructor == null) {
      throw Modifier.isAbstract(type().getModifiers())
          ? isAbstract(type())
          : new ClassRefusedException(
              "class "
                  + type().getName()
                  + " has no constructor without arguments, which makes a new object; add one, of"
                  + " any visibility, or make the object yourself and assign it to a persistent"
                  + " one");
    }
    try {
      return (Object) constructor.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException(
          "the constructor of class %s threw %s; let it make an object without arguments, or make the object yourself and assign it to a persistent one"
              .formatted(type().getName(), t),
          t);
    }
  }

  static ClassRefusedException isAbstract(Class<?> type) {
    return new ClassRefusedException(
        "class "
            + type.getName()
            + " is abstract, so no object of it can be made; use a class that extends it");
  }

  /**
   * Returns true if all objects that {@link #newPlain} makes are alike, and making them does
   * nothing else.
   */
  public boolean makesAlike() {
    return makesAlike;
  }

  /**
   * Reads a property of a plain object, past its getter, by its index in the shape. A primitive
   * value is boxed.
   */
  public @Nullable Object readPlain(Object plain, int index) {
    try {
      return (Object) readers[index].invokeExact(plain);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable t) {
      throw new PmStoreException(
          "property %s of class %s cannot be read: %s; please report this"
              .formatted(properties().get(index).name(), type().getName(), t),
          t);
    }
  }

  /**
   * Makes a plain object for {@link #writePlain} without running a constructor; all fields are zero
   * or null.
   *
   * @throws ClassRefusedException if the class is an interface
   */
  public Object newBlank() {
    return plainFields().newObject();
  }

  /**
   * Sets a property of an object that {@link #newBlank} made, past its setter, even if its field is
   * final. A primitive value is boxed.
   */
  public void writePlain(Object plain, int index, @Nullable Object value) {
    plainFields().write(plain, index, value);
  }

  private PlainFields plainFields() {
    PlainFields fields = plainFields;
    if (fields == null) {
      fields = new PlainFields(bean); // two threads may make one each
      plainFields = fields;
    }
    return fields;
  }

  /** Copies the values of the fields that the store does not keep. */
  public void copyTransients(Object plain, Object persistent) {
    transients.copy(plain, persistent);
  }

  /** Returns true if the class has {@link io.pmstore.OnLoad} methods. */
  public boolean hasOnLoad() {
    return !onLoad.isEmpty();
  }

  /**
   * Calls the {@link io.pmstore.OnLoad} methods.
   *
   * @param persistent an object of the generated class that has just been read back
   * @throws PmStoreException if one of them fails
   */
  public void onLoad(Object persistent) {
    onLoad.run(persistent);
  }

  @Override
  public String toString() {
    return type().getName();
  }
}
