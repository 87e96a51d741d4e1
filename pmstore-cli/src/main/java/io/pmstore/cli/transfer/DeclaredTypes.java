package io.pmstore.cli.transfer;

import io.pmstore.cli.value.Scalars;
import io.pmstore.cli.value.ValueText;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.collection.CollectionKind;
import io.pmstore.proxy.collection.PersistentCollection;
import io.pmstore.proxy.generic.GenericArray;
import io.pmstore.proxy.generic.GenericClass;
import io.pmstore.proxy.generic.GenericEnum;
import io.pmstore.proxy.generic.GenericObject;
import io.pmstore.proxy.generic.GenericRecord;
import io.pmstore.proxy.generic.GenericValue;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells which values a property cannot have, by its declared type. What the type catalogue does not
 * know is allowed: it has no interfaces of the program, for instance, and not what a class
 * implements. Not thread-safe.
 */
final class DeclaredTypes {
  private final Catalogue catalogue;
  private final Map<String, Optional<Class<?>>> classesOfJdk = new HashMap<>();
  private final Map<Kinship, Boolean> kinships = new HashMap<>();

  /** The question whether objects of a shape are objects of a class. */
  private record Kinship(int shapeId, String className) {}

  DeclaredTypes(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /**
   * Throws if a property cannot have a value.
   *
   * @param value null if it is null, or an object that is not known yet
   * @throws ImportException if it cannot
   */
  void check(String owner, Property property, @Nullable Object value) {
    if (value != null && !allows(property, value)) {
      throw new ImportException(
          "property %s of %s has %s, expected a value of type %s"
              .formatted(property.name(), owner, description(value), shown(property.typeName())));
    }
  }

  /** Throws if an array of references cannot have an element. */
  void checkElement(Shape array, @Nullable Object element) {
    String declared = component(array.className());
    if (element != null && !allows(declared, element)) {
      throw new ImportException(
          "an array has %s, expected elements of type %s"
              .formatted(description(element), shown(declared)));
    }
  }

  private boolean allows(Property property, Object value) {
    SlotKind kind = property.kind();
    if (kind == SlotKind.ENUM) {
      return value instanceof GenericEnum constant
          && catalogue.find(property.typeName()) instanceof EnumType type
          && catalogue.newest(type).equals(constant.type());
    }
    if (kind == SlotKind.REFERENCE
        && !(value instanceof GenericObject)
        && !(value instanceof PersistentCollection)) {
      return false;
    }
    if (kind.isPrimitive() || kind.isWord()) {
      Scalars.Scalar scalar = Scalars.ofProperty(property);
      return scalar == null || scalar.type().isInstance(value);
    }
    return allows(property.typeName(), value);
  }

  private boolean allows(String declared, Object value) {
    Class<?> ofJdk = ofJdk(declared);
    if (ofJdk != null) {
      return allows(ofJdk, value);
    }
    boolean isArray = declared.startsWith("[");
    return switch (value) {
      case GenericObject object -> !isArray && mayBe(object.shape(), declared);
      case GenericRecord record -> !isArray && mayBe(record.shape(), declared);
      case GenericEnum constant ->
          !isArray
              && (!(catalogue.find(declared) instanceof EnumType type)
                  || catalogue.newest(type).equals(constant.type()))
              && !(catalogue.find(declared) instanceof Shape);
      case GenericArray array -> isArray && mayBeArray(array.shape().className(), declared);
      case GenericValue registered ->
          !isArray
              && (catalogue.find(declared) == null
                  || registered.type().className().equals(declared));
      default -> false; // no class of the JDK is a program's
    };
  }

  private boolean allows(Class<?> declared, Object value) {
    boolean isOpen = declared.isInterface() || declared == Object.class;
    return switch (value) {
      case GenericObject _ -> isOpen || isExtensible(declared);
      case GenericRecord record -> {
        Class<?> ofJdk = ofJdk(record.className());
        yield ofJdk != null ? declared.isAssignableFrom(ofJdk) : isOpen || declared == Record.class;
      }
      case GenericEnum _ -> isOpen || declared == Enum.class;
      case GenericArray array -> {
        Class<?> ofJdk = ofJdk(array.shape().className());
        yield ofJdk != null
            ? declared.isAssignableFrom(ofJdk)
            : declared.isAssignableFrom(Object[].class);
      }
      case GenericValue registered ->
          isExtensible(declared) || registered.type().className().equals(declared.getName());
      case GenericClass _ -> declared.isAssignableFrom(Class.class);
      case PersistentCollection _ ->
          declared.isInstance(value)
              || (declared.isInterface()
                  && !Map.class.isAssignableFrom(declared)
                  && !Collection.class.isAssignableFrom(declared));
      default -> declared.isInstance(value);
    };
  }

  private static boolean isExtensible(Class<?> type) {
    return !Modifier.isFinal(type.getModifiers()) && !type.isArray();
  }

  private boolean mayBeArray(String found, String declared) {
    String one = component(found);
    String other = component(declared);
    if (one.equals(other)) {
      return true;
    }
    Class<?> ofJdk = ofJdk(one);
    if (ofJdk != null) {
      Class<?> otherOfJdk = ofJdk(other);
      return otherOfJdk != null && otherOfJdk.isAssignableFrom(ofJdk);
    }
    if (one.startsWith("[") || other.startsWith("[")) {
      return one.startsWith("[") && other.startsWith("[") && mayBeArray(one, other);
    }
    return !(catalogue.find(one) instanceof Shape shape) || mayBe(shape, other);
  }

  /** Returns true unless no object of a shape is one of a class of the program. */
  private boolean mayBe(Shape shape, String className) {
    return kinships.computeIfAbsent(
        new Kinship(shape.id(), className), _ -> mayBe(shape, className, new HashSet<>()));
  }

  private boolean mayBe(Shape shape, String className, Set<Integer> seen) {
    Shape newest = catalogue.newest(shape);
    CatalogueEntry declared = catalogue.find(className);
    if (!(declared instanceof Shape known)) {
      return !(declared instanceof EnumType); // an interface, or a class without objects
    }
    if (!catalogue.newest(known).className().equals(className)) {
      return true; // the class has another name now, and this may be the name of something else
    }
    if (newest.id() == catalogue.newest(known).id()) {
      return true;
    }
    for (Shape one : catalogue.lineage(newest)) { // it may have had another superclass
      if (one.hasProgramSuperclass()
          && seen.add(one.id())
          && (!(catalogue.find(one.superclassName()) instanceof Shape above)
              || mayBe(above, className, seen))) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Class<?> ofJdk(String className) {
    return classesOfJdk
        .computeIfAbsent(
            className,
            name -> {
              try {
                return Optional.of(
                    Class.forName(name, false, ClassLoader.getPlatformClassLoader()));
              } catch (ClassNotFoundException | LinkageError e) {
                return Optional.empty();
              }
            })
        .orElse(null);
  }

  /** Returns the name of the class of an array's elements. */
  private static String component(String array) {
    return array.startsWith("[L")
        ? array.substring(2, array.length() - 1)
        : array.substring(1); // an array again
  }

  private static String shown(String className) {
    return className.startsWith("[") && className.length() > 1 ? primitive(className) : className;
  }

  private static String primitive(String array) {
    try {
      return Class.forName(array, false, ClassLoader.getPlatformClassLoader()).getTypeName();
    } catch (ClassNotFoundException e) {
      return ValueText.shown(array);
    }
  }

  private static String description(Object value) {
    return switch (value) {
      case GenericObject object -> "an object of class " + object.className();
      case GenericRecord record -> "a record " + record.className();
      case GenericEnum constant -> "the constant " + constant;
      case GenericArray array -> "an array " + shown(array.shape().className());
      case GenericValue registered -> "a value of class " + registered.type().className();
      case GenericClass type -> "the class " + type.name();
      case PersistentCollection _ -> "a " + CollectionKind.of(value);
      default -> "a value of class " + value.getClass().getTypeName();
    };
  }
}
