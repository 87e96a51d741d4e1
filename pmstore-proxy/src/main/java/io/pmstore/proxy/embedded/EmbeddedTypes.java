package io.pmstore.proxy.embedded;

import io.pmstore.ClassRefusedException;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.bytecode.PrivateLookups;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The records and arrays that one store has met. They are added to the catalogue when they are
 * first used, durably and whatever becomes of the caller's transaction. Safe for use by any number
 * of threads.
 */
final class EmbeddedTypes {
  private final StoreSchema schema;
  private final Map<Class<?>, EmbeddedType> byClass = new ConcurrentHashMap<>();
  private final Map<Integer, EmbeddedType> byShape = new ConcurrentHashMap<>();

  EmbeddedTypes(StoreSchema schema) {
    this.schema = schema;
  }

  /**
   * The type of a record or array.
   *
   * @throws ClassRefusedException if its values cannot be kept in this store
   */
  EmbeddedType of(Class<?> type) {
    EmbeddedType known = byClass.get(type);
    if (known != null) {
      return known;
    }
    EmbeddedType made = type.isArray() ? array(type) : record(type);
    if (made.shape().id() != 0) {
      byShape.putIfAbsent(made.shape().id(), made);
    }
    EmbeddedType first = byClass.putIfAbsent(type, made);
    return first == null ? made : first;
  }

  /**
   * The type of values of a shape.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws ClassRefusedException if the class is not there, or no longer fits the shape
   */
  EmbeddedType of(int shapeId) {
    EmbeddedType known = byShape.get(shapeId);
    if (known != null) {
      return known;
    }
    Class<?> type = schema.classOf(shapeId);
    if (!type.isArray() && !type.isRecord()) {
      throw new ClassRefusedException(
          "the store holds values of "
              + type.getName()
              + " as of a record, but it is none any more; make it a record again");
    }
    EmbeddedType made = of(type);
    schema.requireSameClass(shapeId, made.shape());
    byShape.putIfAbsent(shapeId, made);
    return made;
  }

  private EmbeddedType array(Class<?> type) {
    return new EmbeddedType.OfArray(
        type.getComponentType(), schema.define(ProgramClass.ofArray(type)));
  }

  private EmbeddedType record(Class<?> type) {
    RecordClass record = RecordClass.of(type);
    Shape shape = schema.define(ProgramClass.of(record));
    MethodHandles.Lookup lookup = PrivateLookups.in(type, type);
    List<RecordComponent> components = record.components();
    List<MethodHandle> readers = new ArrayList<>();
    Class<?>[] types = new Class<?>[components.size()];
    List<@Nullable EnumNumbers> enums = new ArrayList<>();
    List<Integer> salts = new ArrayList<>();
    try {
      for (int i = 0; i < types.length; i++) {
        types[i] = components.get(i).getType();
        // The field, since an accessor may return something else.
        MethodHandle reader = lookup.findGetter(type, components.get(i).getName(), types[i]);
        readers.add(reader.asType(MethodType.methodType(Object.class, Object.class)));
        enums.add(types[i].isEnum() ? schema.enumNumbers(types[i]) : null);
        salts.add(schema.catalogue().firstName(shape, record.slots().get(i)).hashCode());
      }
      MethodHandle constructor =
          lookup
              .findConstructor(type, MethodType.methodType(void.class, types))
              .asType(MethodType.genericMethodType(types.length))
              .asSpreader(Object[].class, types.length);
      return new EmbeddedType.OfRecord(
          record,
          shape,
          constructor,
          List.copyOf(readers),
          Collections.unmodifiableList(enums),
          List.copyOf(salts));
    } catch (ReflectiveOperationException e) {
      throw new ClassRefusedException(
          "record " + type.getName() + " cannot be kept in a store: " + e, e);
    }
  }
}
