package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the program as one store knows them. Safe for use by any number of threads.
 *
 * <p>Shapes and enums are added to the catalogue when they are first used, durably and whatever
 * becomes of the caller's transaction.
 */
public final class StoreSchema {
  private final Catalogue catalogue;
  private final ClassFinder classes = new ClassFinder();
  private final Map<Class<?>, Binding> byClass = new ConcurrentHashMap<>();
  private final Map<Class<?>, EnumNumbers> enums = new ConcurrentHashMap<>();
  // By shape id and by enum type id; replaced, never changed, so that a look-up is two loads.
  private volatile @Nullable Binding[] byShape = {};
  private volatile @Nullable EnumNumbers[] byType = {};

  /**
   * Creates the schema of a store.
   *
   * @param catalogue the store's catalogue
   */
  public StoreSchema(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * The catalogue.
   *
   * @return the store's catalogue
   */
  public Catalogue catalogue() {
    return catalogue;
  }

  /**
   * Lets classes that the store names be found where a class of the program came from.
   *
   * @param type the user's class
   */
  public void learn(Class<?> type) {
    classes.learn(type);
  }

  /**
   * Finds a class that the store names.
   *
   * @param className its binary name
   * @return the class
   * @throws io.pmstore.ClassRefusedException if no class loader finds it
   */
  public Class<?> find(String className) {
    return classes.find(className);
  }

  /**
   * The shape of a class in this store.
   *
   * @param type the user's class, or a generated one
   * @return the class and its shape
   * @throws io.pmstore.ClassRefusedException if objects of the class cannot be kept in this store
   */
  public Binding bind(Class<?> type) {
    Binding known = byClass.get(type);
    return known != null ? known : bind(PersistentClasses.of(type));
  }

  private Binding bind(PersistentClass type) {
    classes.learn(type.type());
    Shape shape = catalogue.define(type.shape());
    List<@Nullable EnumNumbers> numbers = new ArrayList<>();
    for (BeanProperty property : type.properties()) {
      numbers.add(property.kind() == SlotKind.ENUM ? enumNumbers(property.type()) : null);
    }
    return publish(new Binding(type, shape, Collections.unmodifiableList(numbers)));
  }

  private synchronized Binding publish(Binding binding) {
    Binding first = byClass.putIfAbsent(binding.type().type(), binding);
    Binding result = first == null ? binding : first;
    byClass.put(binding.type().generated(), result);
    int id = result.shape().id();
    @Nullable Binding[] longer = Arrays.copyOf(byShape, Math.max(byShape.length, id + 1));
    if (longer[id] == null) {
      longer[id] = result;
      byShape = longer;
    }
    return result;
  }

  /**
   * The class of objects of a shape.
   *
   * @param shapeId what their headers say
   * @return the class and its shape
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws io.pmstore.ClassRefusedException if the class is not there, or no longer fits the shape
   */
  public Binding bindingOf(int shapeId) {
    @Nullable Binding[] known = byShape;
    Binding binding = shapeId >= 0 && shapeId < known.length ? known[shapeId] : null;
    return binding != null ? binding : bind(classes.find(catalogue.shape(shapeId).className()));
  }

  /**
   * The numbers of an enum's constants.
   *
   * @param enumClass the enum, not the class of a constant's body
   * @return the numbers
   * @throws io.pmstore.ClassRefusedException if the store knows constants that the enum lacks
   */
  public EnumNumbers enumNumbers(Class<?> enumClass) {
    EnumNumbers known = enums.get(enumClass);
    if (known != null) {
      return known;
    }
    classes.learn(enumClass);
    List<String> names = new ArrayList<>();
    for (Object constant : enumClass.getEnumConstants()) {
      names.add(((Enum<?>) constant).name());
    }
    EnumNumbers numbers = new EnumNumbers(enumClass, catalogue.define(enumClass.getName(), names));
    EnumNumbers first = enums.putIfAbsent(enumClass, numbers);
    return first == null ? numbers : first;
  }

  /**
   * The numbers of the constants of an enum type.
   *
   * @param typeId what a cell says
   * @return the numbers
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such enum type
   * @throws io.pmstore.ClassRefusedException if the enum is not there, or no longer fits the store
   */
  public EnumNumbers enumNumbers(int typeId) {
    @Nullable EnumNumbers[] known = byType;
    EnumNumbers numbers = typeId >= 0 && typeId < known.length ? known[typeId] : null;
    if (numbers != null) {
      return numbers;
    }
    EnumType type = catalogue.enumType(typeId);
    Class<?> enumClass = classes.find(type.className());
    if (!enumClass.isEnum()) {
      throw new ClassRefusedException(
          "the store knows "
              + type
              + " as an enum, but "
              + enumClass
              + " is none; make it an enum again");
    }
    return publish(typeId, enumNumbers(enumClass));
  }

  private synchronized EnumNumbers publish(int typeId, EnumNumbers numbers) {
    @Nullable EnumNumbers[] longer = Arrays.copyOf(byType, Math.max(byType.length, typeId + 1));
    longer[typeId] = numbers;
    byType = longer;
    return numbers;
  }
}
