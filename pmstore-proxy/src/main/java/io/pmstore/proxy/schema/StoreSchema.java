package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.bean.AbstractTypes;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.Functions;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ShapeMapping;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The classes of the program as one store knows them. Thread-safe.
 *
 * <p>Shapes and enums are added to the catalogue when they are first used, durably and
 * independently of the caller's transaction.
 */
public final class StoreSchema {
  private final Catalogue catalogue;
  private final Predicate<Class<?>> hasCodec;
  private final ClassFinder classes = new ClassFinder();
  private final NamedComparators comparators = new NamedComparators(classes);
  private final ShapeDefinitions definitions;
  private final Map<Class<?>, Binding> byClass = new ConcurrentHashMap<>();
  private final Map<Class<?>, EnumNumbers> enums = new ConcurrentHashMap<>();
  // By shape id and by enum type id. They are replaced, never changed, so that a look-up is two
  // loads.
  private volatile @Nullable Binding[] byShape = {};
  private volatile @Nullable EnumNumbers[] byType = {};
  private volatile @Nullable Mapping[] mappings = {};

  private record Mapping(ShapeMapping mapping, @Nullable Provisional until) {}

  /** Creates the schema of a store. */
  public StoreSchema(Catalogue catalogue, Functions functions) {
    this(catalogue, functions, type -> false);
  }

  /**
   * Creates the schema of a store with value types of the program. {@code hasCodec} returns true if
   * a class is registered as a value type.
   */
  public StoreSchema(Catalogue catalogue, Functions functions, Predicate<Class<?>> hasCodec) {
    this.catalogue = catalogue;
    this.hasCodec = hasCodec;
    this.definitions = new ShapeDefinitions(catalogue, classes, functions);
  }

  public Catalogue catalogue() {
    return catalogue;
  }

  /**
   * Learns a class of the program: the store then finds other classes with its class loader, and
   * the class and those that it refers to under their former names.
   */
  public void learn(Class<?> type) {
    classes.learn(type);
  }

  /**
   * Returns the class of the objects of a shape, or null if the program has none or the shape is of
   * no class.
   */
  public @Nullable Class<?> lookUp(Shape shape) {
    return classes.lookUpOfObjects(shape.className());
  }

  /**
   * Returns the name by which the store keeps a comparator: that of a {@code static final} field
   * that holds it, in a class that the store knows or near it. Returns null if there is none.
   */
  public @Nullable String comparatorName(Comparator<?> comparator) {
    return comparators.nameOf(comparator);
  }

  /**
   * Returns the comparator of a name that {@link #comparatorName} returned, perhaps in another run.
   *
   * @throws io.pmstore.ClassRefusedException if the class or the field no longer exists
   */
  public Comparator<?> comparator(String name) {
    return comparators.find(name);
  }

  /**
   * Returns the name by which the store keeps a class that is a value: its binary name, or that of
   * a primitive type.
   *
   * @throws NotPersistableException if the class cannot be found again by its name
   */
  public String nameToStore(Class<?> type) {
    String name = type.getName();
    if (!type.isPrimitive()) {
      classes.learn(type);
      if (type.isHidden() || isGenerated(type)) {
        throw new NotPersistableException(
            "%s is a class that was made at run time, and another run cannot find it; store the class that your source names, as in Order.class"
                .formatted(name));
      }
      if (classes.lookUp(name) != type) {
        throw new NotPersistableException(
            "class %s was loaded by %s, and the name leads to another class of that name; store the class's name as a String"
                .formatted(name, type.getClassLoader()));
      }
    }
    return name;
  }

  private static boolean isGenerated(Class<?> type) {
    return PersistentObject.class.isAssignableFrom(type)
        && !EnhancedObject.class.isAssignableFrom(type);
  }

  /**
   * Returns the class of a name that {@link #nameToStore} returned; if it was renamed, under its
   * present name.
   *
   * @throws ClassRefusedException if the program has no such class
   */
  public Class<?> classOfName(String name) {
    Class<?> primitive = Class.forPrimitiveName(name);
    Class<?> type = primitive != null ? primitive : classes.lookUp(name);
    if (type == null) {
      throw new ClassRefusedException(
          "the store holds the class %s as a value, and it was not found; put it on the class path, or annotate the class that it is now with @FormerNames(\"%s\") and name that in the options"
              .formatted(name, name));
    }
    return type;
  }

  /**
   * Returns today's class of objects of a shape.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws io.pmstore.ClassRefusedException if the program has no such class
   */
  public Class<?> classOf(int shapeId) {
    return definitions.classOf(shapeId);
  }

  /**
   * Returns a class with its current shape in this store. If the class has changed, adds the shape
   * to the catalogue, as the successor of the class's last one.
   *
   * @param type the user's class, or a generated one
   * @throws io.pmstore.ClassRefusedException if objects of the class cannot be kept in this store
   */
  public Binding bind(Class<?> type) {
    Binding known = byClass.get(type);
    return known != null && known.stands() ? known : bind(PersistentClasses.of(type));
  }

  private Binding bind(PersistentClass type) {
    Provisional now = new Provisional(catalogue);
    Shape shape = define(ProgramClass.of(type.type(), type.shape(), type.properties()));
    List<@Nullable EnumNumbers> numbers = new ArrayList<>();
    for (BeanProperty property : type.properties()) {
      numbers.add(property.kind() == SlotKind.ENUM ? enumNumbers(property.type()) : null);
    }
    boolean complete =
        shape.id() != 0 && numbers.stream().allMatch(of -> of == null || of.isComplete());
    return publish(
        new Binding(
            type,
            shape,
            definitions.hasOlder(shape),
            Collections.unmodifiableList(numbers),
            new AtomicReference<>(),
            complete ? null : now));
  }

  /**
   * Returns the current shape of a class, record or array in this store. If the class has changed,
   * adds the shape to the catalogue, as the successor of the class's last one; in a read-only store
   * the shape has id 0 then.
   *
   * @throws io.pmstore.ClassRefusedException if the class does not fit what the store has of it
   * @throws io.pmstore.StoreReadOnlyException if the store is read-only and does not have the class
   */
  public Shape define(ProgramClass today) {
    today.checkTypes(hasCodec);
    classes.learn(today.type());
    return definitions.define(today);
  }

  /**
   * Returns the shape that {@link #define} would return, for a look-up, which adds nothing to the
   * store: the shape has id 0 if the store does not have it yet.
   *
   * @throws io.pmstore.ClassRefusedException if the class does not fit what the store has of it
   */
  public Shape shapeToFind(ProgramClass today) {
    classes.learn(today.type());
    return definitions.plan(today);
  }

  private synchronized Binding publish(Binding binding) {
    Binding first = byClass.get(binding.type().type());
    Binding result = first != null && first.stands() ? first : binding;
    byClass.put(binding.type().type(), result);
    byClass.put(binding.type().generated(), result);
    if (result.shape().id() != 0) {
      publish(result.shape().id(), result);
    }
    return result;
  }

  private synchronized Binding publish(int shapeId, Binding binding) {
    @Nullable Binding[] longer = Arrays.copyOf(byShape, Math.max(byShape.length, shapeId + 1));
    Binding first = longer[shapeId];
    if (first != null && first.stands()) {
      return first;
    }
    longer[shapeId] = binding;
    byShape = longer;
    return binding;
  }

  /**
   * Returns the class of objects of a current or older shape, with its current shape.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   * @throws io.pmstore.ClassRefusedException if the class is missing or no longer fits the shape
   */
  public Binding bindingOf(int shapeId) {
    @Nullable Binding[] known = byShape;
    Binding binding = shapeId >= 0 && shapeId < known.length ? known[shapeId] : null;
    if (binding != null && binding.stands()) {
      return binding;
    }
    Class<?> type = definitions.classOf(shapeId);
    if (type.isRecord() || type.isEnum()) {
      String kind = type.isRecord() ? "record" : "enum";
      throw new ClassRefusedException(
          "the store holds objects of %s, which was a class and is %s %s now; make it a class again, and give the %s another name"
              .formatted(type.getName(), type.isRecord() ? "a" : "an", kind, kind));
    }
    if (AbstractTypes.isAbstract(type)) {
      String name = catalogue.newest(catalogue.shape(shapeId)).className();
      throw new ClassRefusedException(nowAbstract(type, name));
    }
    Binding bound = bind(type);
    requireSameClass(shapeId, bound.shape());
    return publish(shapeId, bound);
  }

  /** Returns why a class of which the store has objects is refused. */
  static String nowAbstract(Class<?> type, String storedName) {
    String now =
        type.isInterface()
            ? "is an interface without @Persistent now; annotate it with @Persistent if it was a"
                + " persistent interface, or make it a concrete class if it was one"
            : "was a concrete class and is abstract now; make it concrete again";
    return "the store holds objects of %s, which %s, or annotate the concrete class that its objects are to be of with @FormerNames(\"%s\"), and name that in the options if no class that is in use refers to it"
        .formatted(type.getName(), now, storedName);
  }

  /**
   * Checks that objects of a shape can be read as objects of a class.
   *
   * @param bound the current shape of the class
   * @throws io.pmstore.ClassRefusedException if the class does not continue that shape
   */
  public void requireSameClass(int shapeId, Shape bound) {
    Shape current = definitions.current(shapeId);
    if (current == null || !current.hasLayoutOf(bound)) {
      throw new ClassRefusedException(
          "the store has objects of %s, and the program's class %s does not continue that class; give the class the name back that the store has, or annotate it with @FormerNames"
              .formatted(catalogue.shape(shapeId), bound.className()));
    }
  }

  /**
   * Returns how objects of an older shape are read as objects of the class's current shape. The
   * class, or record, must be bound already. Each call returns the same mapping, unless the store
   * has gained the current shape since.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such shape
   */
  public ShapeMapping mappingOf(int olderShapeId) {
    @Nullable Mapping[] known = mappings;
    Mapping mapping = olderShapeId >= 0 && olderShapeId < known.length ? known[olderShapeId] : null;
    return mapping != null && Provisional.stands(mapping.until())
        ? mapping.mapping()
        : makeMapping(olderShapeId);
  }

  private synchronized ShapeMapping makeMapping(int olderShapeId) {
    Provisional now = new Provisional(catalogue);
    Shape current = definitions.current(olderShapeId);
    if (current == null) {
      throw new IllegalStateException(
          "no class was bound for " + catalogue.shape(olderShapeId) + " before it was read");
    }
    @Nullable Mapping[] longer =
        Arrays.copyOf(mappings, Math.max(mappings.length, olderShapeId + 1));
    ShapeMapping mapping = definitions.mapping(olderShapeId, current);
    longer[olderShapeId] = new Mapping(mapping, current.id() != 0 ? null : now);
    mappings = longer;
    return mapping;
  }

  /**
   * Returns the numbers of an enum's constants.
   *
   * @param enumClass the enum, not the class of a constant's body
   * @throws io.pmstore.ClassRefusedException if the enum does not fit what the store has of it
   */
  public EnumNumbers enumNumbers(Class<?> enumClass) {
    EnumNumbers known = enums.get(enumClass);
    if (known != null && known.stands()) {
      return known;
    }
    classes.learn(enumClass);
    Provisional now = new Provisional(catalogue);
    EnumNumbers numbers = numbers(enumClass, definitions.define(enumClass), now);
    return enums.merge(enumClass, numbers, (first, next) -> first.stands() ? first : next);
  }

  /**
   * Returns the numbers of an enum's constants for a look-up, which adds nothing to the store:
   * constants that it does not have yet have no number.
   *
   * @param enumClass the enum, not the class of a constant's body
   * @throws io.pmstore.ClassRefusedException if the enum does not fit what the store has of it
   */
  public EnumNumbers enumNumbersToFind(Class<?> enumClass) {
    EnumNumbers known = enums.get(enumClass);
    if (known != null && known.stands()) {
      return known;
    }
    classes.learn(enumClass);
    Provisional now = new Provisional(catalogue);
    EnumType planned = definitions.plan(enumClass);
    return planned.id() != 0
        ? enumNumbers(enumClass)
        : numbers(enumClass, definitions.known(planned), now);
  }

  private EnumNumbers numbers(Class<?> enumClass, EnumType type, Provisional until) {
    return new EnumNumbers(
        enumClass,
        type,
        number -> catalogue.firstName(catalogue.enumType(type.id()), number),
        until);
  }

  /**
   * Returns the numbers of the constants of the enum type in a cell.
   *
   * @throws io.pmstore.StoreDamagedException if the catalogue has no such enum type
   * @throws io.pmstore.ClassRefusedException if the enum is missing or no longer fits the store
   */
  public EnumNumbers enumNumbers(int typeId) {
    @Nullable EnumNumbers[] known = byType;
    EnumNumbers numbers = typeId >= 0 && typeId < known.length ? known[typeId] : null;
    if (numbers != null && numbers.stands()) {
      return numbers;
    }
    EnumType type = catalogue.newest(catalogue.enumType(typeId));
    Class<?> enumClass = classes.find(type.className());
    if (!enumClass.isEnum()) {
      throw new ClassRefusedException(
          "the store knows %s as an enum, but %s is none; make it an enum again"
              .formatted(type, enumClass));
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
