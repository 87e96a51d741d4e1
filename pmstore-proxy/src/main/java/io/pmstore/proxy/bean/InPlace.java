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
   * Says whether a value can change in place.
   *
   * @param value a value that the store keeps, not an object with an identity
   * @return true for an array, a date, and a record that may hold them
   */
  public static boolean changes(Object value) {
    Class<?> type = value.getClass();
    return type.isArray() || value instanceof Date || (type.isRecord() && RECORDS.get(type));
  }

  /**
   * Says whether a property can have values that change in place.
   *
   * @param declared its declared type
   * @return false if all its values are immutable, or objects with an identity
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
