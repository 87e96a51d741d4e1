package io.pmstore.spi;

import java.io.NotSerializableException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of enhanced classes. Enhanced code looks up its constants here when it first uses a
 * persistent object. The object layer publishes the layout of a class before it makes an object of
 * the class persistent. Safe for use by any number of threads.
 */
public final class EnhancedClasses {
  /**
   * The layout of one class. Immutable.
   *
   * @param offsets the offset of each property in the object, in bytes, by {@link #key} of its
   *     field
   * @param properties the code of each property that is not primitive, by {@link #key} of its field
   * @param effects what the methods may do that may write, by {@link #key} of the method with its
   *     descriptor
   */
  public record Layout(
      Map<String, Integer> offsets,
      Map<String, Integer> properties,
      Map<String, EnhancedMethod.Effect> effects) {
    /** Copies the maps. */
    public Layout {
      offsets = Map.copyOf(offsets);
      properties = Map.copyOf(properties);
      effects = Map.copyOf(effects);
    }

    int offset(String key) {
      return find(offsets, key);
    }

    int property(String key) {
      return find(properties, key);
    }

    private static int find(Map<String, Integer> numbers, String key) {
      Integer found = numbers.get(key);
      if (found == null) {
        throw new IllegalStateException(
            "code was enhanced to use a field "
                + key
                + " that is no property of the object's class now; compile and enhance both again");
      }
      return found;
    }
  }

  private static final class Slot {
    private volatile @Nullable Layout layout;
  }

  // The classes hold the slots, so that unused class loaders can be collected.
  private static final ClassValue<Slot> SLOTS =
      new ClassValue<>() {
        @Override
        protected Slot computeValue(Class<?> type) {
          return new Slot();
        }
      };

  private EnhancedClasses() {}

  /**
   * Returns the key of a member.
   *
   * @param owner the binary name of the class that declares it
   * @param member the name of a field, or the name and descriptor of a method
   * @return the key in the maps of a {@link Layout}
   */
  public static String key(String owner, String member) {
    return owner + "." + member;
  }

  /**
   * Publishes the layout of a class; the object layer calls it.
   *
   * @param type the enhanced class
   * @param layout its layout, the same at each call
   */
  public static void publish(Class<?> type, Layout layout) {
    SLOTS.get(type).layout = layout;
  }

  /**
   * Returns the layout of a class.
   *
   * @param type the class of a persistent object
   * @return its layout
   * @throws IllegalStateException if the object layer has not published it
   */
  static Layout layout(Class<?> type) {
    Layout layout = SLOTS.get(type).layout;
    if (layout == null) {
      throw new IllegalStateException(
          "class " + type.getName() + " has persistent objects that no store has made");
    }
    return layout;
  }

  /**
   * Returns the offset of a property. The JVM calls this method to resolve a dynamic constant.
   *
   * @param asking the lookup of the class that has the constant
   * @param name not used
   * @param type {@code int}
   * @param key the {@link #key} of the field
   * @return the offset in bytes
   * @throws IllegalStateException if the layout was not published or has no such property
   */
  public static int offset(MethodHandles.Lookup asking, String name, Class<?> type, String key) {
    return layout(asking.lookupClass()).offset(key);
  }

  /**
   * Returns the code of a property that is not primitive. The JVM calls this method to resolve a
   * dynamic constant.
   *
   * @param asking the lookup of the class that has the constant
   * @param name not used
   * @param type {@code int}
   * @param key the {@link #key} of the field
   * @return the code
   * @throws IllegalStateException if the layout was not published or has no such property
   */
  public static int property(MethodHandles.Lookup asking, String name, Class<?> type, String key) {
    return layout(asking.lookupClass()).property(key);
  }

  /**
   * Throws if an object is persistent. A constructor calls this method after it has assigned a
   * final field.
   *
   * @param object the object under construction
   * @throws IllegalStateException if the object is persistent, because the value would be lost
   */
  public static void checkPlain(EnhancedObject object) {
    if (object.pmstoreHandleOrNull() != null) {
      throw new IllegalStateException(
          "a constructor of "
              + object.getClass().getName()
              + " assigns a final field after it has made the object persistent; assign all final"
              + " fields first");
    }
  }

  /**
   * Returns an object that Java serialization is about to write, if it is plain.
   *
   * @param object the object
   * @return the object
   * @throws NotSerializableException if the object is persistent, because its fields do not have
   *     its values
   */
  public static Object serialized(EnhancedObject object) throws NotSerializableException {
    return PersistentObject.serialized(object);
  }

  /**
   * Returns one method of an enhanced class. The JVM calls this method to resolve a dynamic
   * constant.
   *
   * @param asking the lookup of the class that declares the method
   * @param name not used
   * @param type {@link EnhancedMethod}
   * @param method the name of the method
   * @param descriptor the parameter types and the result of the method
   * @return the method
   * @throws ReflectiveOperationException if the class has no such method
   */
  public static EnhancedMethod method(
      MethodHandles.Lookup asking, String name, Class<?> type, String method, MethodType descriptor)
      throws ReflectiveOperationException {
    Class<?> owner = asking.lookupClass();
    return new EnhancedMethod(
        key(owner.getName(), method + descriptor.descriptorString()),
        asking.findSpecial(owner, method, descriptor, owner));
  }
}
