package io.pmstore.proxy.path;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.BeanProperty;
import io.pmstore.proxy.bean.Substitutes;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.spi.PersistentObject;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The path to a value, for messages: {@code exchange.orders[7].callback}. A path is cheap to make;
 * only {@link #toString} builds the text.
 */
public final class Path {
  private final @Nullable Path parent;
  private final Object
      step; // a BeanProperty, a Property, an Index, a Start, or the class of the first step

  private record Property(String name, Class<?> type) {}

  private record Index(@Nullable Object key) {}

  private record Start(StoreSchema schema, HeapObject owner, int property) {}

  private Path(@Nullable Path parent, Object step) {
    this.parent = parent;
    this.step = step;
  }

  /** Starts a path at a property of a persistent object. */
  public static Path ofProperty(StoreSchema schema, HeapObject owner, int property) {
    return new Path(null, new Start(schema, owner, property));
  }

  /** Starts a path at an object; the text is the name of its class, as the program knows it. */
  public static Path of(Object object) {
    return new Path(null, PersistentObject.classOf(object));
  }

  /** Starts a path at an object that does not exist yet; the text is the name of its class. */
  public static Path of(Class<?> type) {
    return new Path(null, type);
  }

  /** Appends a property. */
  public Path property(BeanProperty property) {
    return new Path(this, property);
  }

  /** Appends a property that has no {@link BeanProperty}. */
  public Path property(String name, Class<?> type) {
    return new Path(this, new Property(name, type));
  }

  /**
   * Returns the declared type of the property that the path ends with, or {@code Object} if it ends
   * with no property.
   */
  public Class<?> declaredType() {
    return switch (step) {
      case BeanProperty property -> property.type();
      case Property property -> property.type();
      case Start start ->
          start
              .schema()
              .bindingOf(shapeId(start.owner()))
              .type()
              .properties()
              .get(start.property())
              .type();
      default -> Object.class;
    };
  }

  /** Returns true if the path ends with a property, and not with an element or an object. */
  public boolean isOfProperty() {
    return !(step instanceof Index || step instanceof Class<?>);
  }

  /** Appends an element, by its index or key. */
  public Path element(@Nullable Object key) {
    return new Path(this, new Index(key));
  }

  @Override
  public String toString() {
    Deque<Path> steps = new ArrayDeque<>();
    for (Path path = this; path != null; path = path.parent) {
      steps.push(path);
    }
    StringBuilder text = new StringBuilder();
    for (Path path : steps) {
      switch (path.step) {
        case BeanProperty property -> text.append('.').append(property.name());
        case Property property -> text.append('.').append(property.name());
        case Index index -> text.append('[').append(index.key()).append(']');
        case Start start -> text.append(describe(start));
        case Class<?> type -> text.append(decapitalized(simpleName(type)));
        default -> throw new IllegalStateException("no step of a path: " + path.step);
      }
    }
    return text.toString();
  }

  /** Returns the current shape of an object or an older one: both lead to the class. */
  private static int shapeId(HeapObject object) {
    return object.heap().shapeId(object.address());
  }

  private static String describe(Start start) {
    var binding = start.schema().bindingOf(shapeId(start.owner()));
    return decapitalized(simpleName(binding.type().type()))
        + "."
        + binding.shape().properties().get(start.property()).name();
  }

  /**
   * Returns the name in the source, for a nested class too; for one like List12 of the JDK, List.
   */
  private static String simpleName(Class<?> type) {
    if (type.isArray()) {
      return simpleName(type.componentType()) + "[]";
    }
    if (!Modifier.isPublic(type.getModifiers()) && Substitutes.isOfJdk(type)) {
      for (Class<?> known : List.of(List.class, Set.class, Map.class, Collection.class)) {
        if (known.isAssignableFrom(type)) {
          return known.getSimpleName();
        }
      }
    }
    String name = type.getName();
    return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
  }

  private static String decapitalized(String name) {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
