package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Date;
import java.util.Map;

/** The types of values that a program can change without setting the property that has them. */
public final class InPlace {
  // Whether an object of a record class can hold something that changes in place.
  private static final ClassValue<Boolean> RECORDS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          for (RecordComponent component : type.getRecordComponents()) {
            if (component.getType() != type && mayChange(component.getType())) {
              return true;
            }
          }
          return false;
        }
      };

  private InPlace() {}

  /**
   * Returns true if a value that the store keeps can change in place: an array, a date, or a record
   * that may hold one.
   */
  public static boolean changes(Object value) {
    Class<?> type = value.getClass();
    return type.isArray() || value instanceof Date || (type.isRecord() && RECORDS.get(type));
  }

  /**
   * Returns true if a property of the declared type can have values that change in place. Objects
   * with an identity do not count.
   */
  static boolean mayChange(Class<?> declared) {
    return declared.isArray()
        || Date.class.isAssignableFrom(declared)
        || declared == Object.class
        || (declared.isInterface()
            && !Collection.class.isAssignableFrom(declared)
            && !Map.class.isAssignableFrom(declared)
            && !declared.isAnnotationPresent(Persistent.class))
        || (declared.isRecord() && RECORDS.get(declared));
  }
}
