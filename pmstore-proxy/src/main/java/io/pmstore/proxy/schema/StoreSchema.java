package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.Functions;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ShapeMapping;
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
  private final ShapeDefinitions definitions;
  private final Map<Class<?>, Binding> byClass = new ConcurrentHashMap<>();
  private final Map<Class<?>, EnumNumbers> enums = new ConcurrentHashMap<>();
  // By shape id and by enum type id; replaced, never changed, so that a look-up is two loads.
  private volatile @Nullable Binding[] byShape = {};
  private volatile @Nullable EnumNumbers[] byType = {};
  private volatile @Nullable ShapeMapping[] mappings = {};

  /**
   * Creates the schema of a store.
   *
   * @param catalogue the store's catalogue
   * @param functions the migration functions of the program
   */
  public StoreSchema(Catalogue catalogue, Functions functions) {
    this.catalogue = catalogue;
    this.definitions = new ShapeDefinitions(catalogue, classes, functions);
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
   * Lets classes that the store names be found where a class of the program came from, and under
   * the new names that it and the classes that it refers to have.
   *
   * @param type the user's class
   */
  public void learn(Class<?> type) {
    classes.learn(type);
  }

  /**
   * The class of a shape, if the program has it.
   *
   * @param shape a shape of the catalogue
   * @return the class, or null if there is none; also for shapes of no class
   */
  public @Nullable Class<?> lookUp(Shape shape) {
    return classes.lookUp(shape.className());
  }

  /**
   * The class that objects of a shape are of today.
   *
   * @param shapeId what their headers say
   * @return the class, by the name that the store has for it now
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws io.pmstore.ClassRefusedException if the class is not there
   */
  public Class<?> classOf(int shapeId) {
    return definitions.classOf(shapeId);
  }

  /**
   * The current shape of a class in this store. If the class has changed, the shape is added to the
   * catalogue, after the one that the class had.
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
    Shape shape = define(ProgramClass.of(type.type(), type.shape(), type.properties()));
    List<@Nullable EnumNumbers> numbers = new ArrayList<>();
    for (BeanProperty property : type.properties()) {
      numbers.add(property.kind() == SlotKind.ENUM ? enumNumbers(property.type()) : null);
    }
    return publish(
        new Binding(
            type, shape, definitions.hasOlder(shape), Collections.unmodifiableList(numbers)));
  }

  /**
   * The current shape of a class, record or array in this store. If the class has changed, the
   * shape is added to the catalogue, after the one that the class had; in a store that is open for
   * reading only it has id 0 then.
   *
   * @param today the class
   * @return its shape
   * @throws io.pmstore.ClassRefusedException if the class does not fit what the store has of it
   * @throws io.pmstore.StoreReadOnlyException if the class is new to a store that is open for
   *     reading only
   */
  public Shape define(ProgramClass today) {
    classes.learn(today.type());
    return definitions.define(today);
  }

  private synchronized Binding publish(Binding binding) {
    Binding first = byClass.putIfAbsent(binding.type().type(), binding);
    Binding result = first == null ? binding : first;
    byClass.put(binding.type().generated(), result);
    if (result.shape().id() != 0) {
      publish(result.shape().id(), result);
    }
    return result;
  }

  private synchronized Binding publish(int shapeId, Binding binding) {
    @Nullable Binding[] longer = Arrays.copyOf(byShape, Math.max(byShape.length, shapeId + 1));
    Binding first = longer[shapeId];
    if (first != null) {
      return first;
    }
    longer[shapeId] = binding;
    byShape = longer;
    return binding;
  }

  /**
   * The class of objects of a shape, be it an older one of the class.
   *
   * @param shapeId what their headers say
   * @return the class and its current shape
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws io.pmstore.ClassRefusedException if the class is not there, or no longer fits the shape
   */
  public Binding bindingOf(int shapeId) {
    @Nullable Binding[] known = byShape;
    Binding binding = shapeId >= 0 && shapeId < known.length ? known[shapeId] : null;
    if (binding != null) {
      return binding;
    }
    Binding bound = bind(definitions.classOf(shapeId));
    requireSameClass(shapeId, bound.shape());
    return publish(shapeId, bound);
  }

  /**
   * Makes sure that objects of a shape can be read as of a class.
   *
   * @param shapeId what their headers say
   * @param bound the current shape of the class
   * @throws io.pmstore.ClassRefusedException if the class does not go on from theirs
   */
  public void requireSameClass(int shapeId, Shape bound) {
    Shape current = definitions.current(shapeId);
    if (current == null || !current.hasLayoutOf(bound)) {
      throw new ClassRefusedException(
          "the store has objects of %s, which the program's class %s does not go on from; give the class the name back that the store has, or annotate it with @FormerNames"
              .formatted(catalogue.shape(shapeId), bound.className()));
    }
  }

  /**
   * How objects of an older shape are read as objects of the class's current shape. The class, or
   * record, has to be bound already.
   *
   * @param olderShapeId what their headers say
   * @return the mapping, the same one at every call
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   */
  public ShapeMapping mappingOf(int olderShapeId) {
    @Nullable ShapeMapping[] known = mappings;
    ShapeMapping mapping =
        olderShapeId >= 0 && olderShapeId < known.length ? known[olderShapeId] : null;
    return mapping != null ? mapping : makeMapping(olderShapeId);
  }

  private synchronized ShapeMapping makeMapping(int olderShapeId) {
    Shape current = definitions.current(olderShapeId);
    if (current == null) {
      throw new IllegalStateException(
          "no class was bound for " + catalogue.shape(olderShapeId) + " before it was read");
    }
    @Nullable ShapeMapping[] longer =
        Arrays.copyOf(mappings, Math.max(mappings.length, olderShapeId + 1));
    ShapeMapping mapping = definitions.mapping(olderShapeId, current);
    longer[olderShapeId] = mapping;
    mappings = longer;
    return mapping;
  }

  /**
   * The numbers of an enum's constants.
   *
   * @param enumClass the enum, not the class of a constant's body
   * @return the numbers
   * @throws io.pmstore.ClassRefusedException if the enum does not fit what the store has of it
   */
  public EnumNumbers enumNumbers(Class<?> enumClass) {
    EnumNumbers known = enums.get(enumClass);
    if (known != null) {
      return known;
    }
    classes.learn(enumClass);
    EnumType type = definitions.define(enumClass);
    EnumNumbers numbers =
        new EnumNumbers(
            enumClass, type, number -> catalogue.firstName(catalogue.enumType(type.id()), number));
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
    EnumType type = catalogue.newest(catalogue.enumType(typeId));
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
